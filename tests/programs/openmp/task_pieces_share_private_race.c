//@ verdict: race
//@ race: v 16 16
//@ options: --threads 2
//@ about: two iterations on one thread create tasks that use the same private variable of that thread
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int v = 0;
#pragma omp for
        for (int i = 0; i < 2; i++) {
#pragma omp task shared(v)
            {
                v = v + i;
            }
        }
    }
    return 0;
}
