//@ verdict: race-free
//@ about: flush: relaxed atomics and flushes on both sides synchronise
#include <assert.h>
#include <omp.h>

int main(void)
{
    int data[100], flag = 0, bad = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 100; i++)
                data[i] = 2 * i;
#pragma omp flush
#pragma omp atomic write
            flag = 1;
        } else {
            int f = 0;
            while (!f) {
#pragma omp atomic read
                f = flag;
            }
#pragma omp flush
            for (int i = 0; i < 100; i++)
                bad += data[i] != 2 * i;
        }
    }
    assert(bad == 0);
    return 0;
}
