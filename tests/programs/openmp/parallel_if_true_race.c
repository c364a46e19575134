//@ verdict: race
//@ race: total 14 14
//@ about: parallel if: a true condition gives a team
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    int total = 0;
#pragma omp parallel if (argc < 100)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            total += i;
    }
    printf("%d\n", total);
    return 0;
}
