//@ verdict: race-free
//@ about: a lock made of atomic capture acq_rel and atomic write release
#include <omp.h>
/* hand-made lock by atomic capture */
int lk, c;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int o = 1;
        do {
#pragma omp atomic capture acq_rel
            {
                o = lk;
                lk = 1;
            }
        } while (o);
        c++;
#pragma omp atomic write release
        lk = 0;
    }
    return c == 2 ? 0 : 1;
}
