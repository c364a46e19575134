//@ verdict: race
//@ races: at-least
//@ race: pos 14 15
//@ race: pos 15 15
//@ about: atomic protects the element, not the evaluation of its index
#include <stdio.h>

int main(void)
{
    int bin[200] = {0}, pos = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        bin[pos % 200]++;
        pos++;
    }
    printf("%d\n", bin[0]);
    return 0;
}
