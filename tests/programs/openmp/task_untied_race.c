//@ verdict: race
//@ race: total 13 13
//@ about: task untied: sum without protection
#include <stdio.h>

int main(void)
{
    int total = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task untied shared(total)
        total += i;
    }
    printf("%d\n", total);
    return 0;
}
