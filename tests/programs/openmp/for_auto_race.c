//@ verdict: race
//@ race: cell[*] 11 11
//@ about: for schedule(auto): five iterations write each cell
#include <stdio.h>

int main(void)
{
    int cell[100] = {0};
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < 500; i++)
        cell[i / 5] += 1;
    printf("%d\n", cell[0]);
    return 0;
}
