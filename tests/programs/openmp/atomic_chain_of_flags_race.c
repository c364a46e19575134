//@ verdict: race
//@ race: data1 15 31
//@ race: data1 23 31
//@ race: data2 23 31
//@ about: a relaxed link breaks a chain of flags
#include <omp.h>
int data1, data2, f1, f2;

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int t = omp_get_thread_num(), r = 0;
        if (t == 0) {
            data1 = 1;
#pragma omp atomic write seq_cst
            f1 = 1;
        } else if (t == 1) {
            while (!r) {
#pragma omp atomic read seq_cst
                r = f1;
            }
            data2 = data1;
#pragma omp atomic write relaxed
            f2 = 1;
        } else {
            while (!r) {
#pragma omp atomic read seq_cst
                r = f2;
            }
            data1 += data2;
        }
    }
    return 0;
}
