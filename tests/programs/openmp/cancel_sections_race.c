//@ verdict: race
//@ race: why 15 21
//@ about: cancel sections: both sections say why
#include <stdio.h>

int main(void)
{
    int why = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            {
                why = 1;
#pragma omp cancel sections
            }
#pragma omp section
            {
#pragma omp cancellation point sections
                why = 2;
            }
        }
    }
    printf("%d\n", why);
    return 0;
}
