//@ verdict: race
//@ race: d1 13 28
//@ about: an acquire read does not make a later relaxed write release, although clang emits a flush behind it
#include <omp.h>
int d1, f1, f2;

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int t = omp_get_thread_num(), r = 0;
        if (t == 0) {
            d1 = 1;
#pragma omp atomic write release
            f1 = 1;
        } else if (t == 1) {
            while (!r) {
#pragma omp atomic read acquire
                r = f1;
            }
#pragma omp atomic write relaxed
            f2 = 1;
        } else {
            while (!r) {
#pragma omp atomic read acquire
                r = f2;
            }
            d1 += 1;
        }
    }
    return 0;
}
