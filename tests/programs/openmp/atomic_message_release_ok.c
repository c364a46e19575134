//@ verdict: race-free
//@ about: atomic write release and atomic read acquire pass a message
#include <assert.h>
#include <omp.h>

int main(void)
{
    int data[100], ready = 0;
    long sum = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 100; i++)
                data[i] = i;
#pragma omp atomic write release
            ready = 1;
        } else {
            int r = 0;
            while (!r) {
#pragma omp atomic read acquire
                r = ready;
            }
            for (int i = 0; i < 100; i++)
                sum += data[i];
        }
    }
    assert(sum == 4950);
    return 0;
}
