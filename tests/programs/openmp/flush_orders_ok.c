//@ verdict: race-free
//@ about: flush release and flush acquire
#include <assert.h>
#include <omp.h>

int main(void)
{
    int letter = 0, flag = 0, got = -1;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            letter = 17;
#pragma omp flush release
#pragma omp atomic write relaxed
            flag = 1;
        } else {
            int f = 0;
            while (!f) {
#pragma omp atomic read relaxed
                f = flag;
            }
#pragma omp flush acquire
            got = letter;
        }
    }
    assert(got == 17);
    return 0;
}
