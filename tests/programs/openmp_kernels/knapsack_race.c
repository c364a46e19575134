//@ verdict: race
//@ race: best[*] 15 16
//@ about: knapsack by dynamic programming, in one row
#include <stdio.h>
#define CAP 200
#define ITEMS 8

int main(void)
{
    static int best[CAP + 1];
    const int weight[ITEMS] = {10, 20, 30, 25, 15, 40, 35, 5};
    for (int k = 0; k < ITEMS; k++) {
#pragma omp parallel for
        for (int c = weight[k]; c <= CAP; c++) {
            int with = best[c - weight[k]] + weight[k];
            best[c] = with > best[c] ? with : best[c];
        }
    }
    printf("%d\n", best[CAP]);
    return 0;
}
