//@ verdict: race
//@ race: x[*] 15 17
//@ about: static on four threads: blocks of three leave one iteration for the last
#include <stdio.h>

static int x[10];

int main(void)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 10; i++) {
            if (i == 8)
                x[8] = 1;
            if (i == 9)
                x[9] = x[8];
        }
    }
    printf("%d\n", x[9]);
    return 0;
}
