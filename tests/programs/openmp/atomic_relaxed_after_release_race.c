//@ verdict: race
//@ race: d 13 23
//@ about: a relaxed write behind a release write does not release
#include <omp.h>
int d, f, g;

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        int t = omp_get_thread_num(), r = 0;
        if (t == 0) {
            d = 1;
#pragma omp atomic write release
            f = 1;
#pragma omp atomic write
            g = 1;
        } else if (t == 1) {
            while (!r) {
#pragma omp atomic read acquire
                r = g;
            }
            d++;
        }
    }
    return 0;
}
