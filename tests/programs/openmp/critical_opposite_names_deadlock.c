//@ verdict: defect
//@ defect: deadlock 14
//@ about: critical inside critical under two names, in opposite orders
#include <omp.h>

int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(first)
            {
#pragma omp critical(second)
                n++;
            }
        } else {
#pragma omp critical(second)
            {
#pragma omp critical(first)
                n++;
            }
        }
    }
    return 0;
}
