//@ verdict: race-free
//@ about: flush release before a relaxed write and flush acquire behind a relaxed read
#include <omp.h>
int data, flag;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 1;
#pragma omp flush release
#pragma omp atomic write
            flag = 1;
        } else {
            int r = 0;
            while (!r) {
#pragma omp atomic read
                r = flag;
            }
#pragma omp flush acquire
            data++;
        }
    }
    return 0;
}
