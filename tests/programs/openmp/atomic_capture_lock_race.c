//@ verdict: race
//@ race: c 20 20
//@ about: a lock made of atomics without memory orders
#include <omp.h>
/* hand-made lock by atomic capture */
int lk, c;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int o = 1;
        do {
#pragma omp atomic capture
            {
                o = lk;
                lk = 1;
            }
        } while (o);
        c++;
#pragma omp atomic write
        lk = 0;
    }
    return c == 2 ? 0 : 1;
}
