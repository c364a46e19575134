//@ verdict: race-free
//@ about: knapsack by dynamic programming, from one row to the next
#include <assert.h>
#define CAP 200
#define ITEMS 8

int main(void)
{
    static int best[2][CAP + 1];
    const int weight[ITEMS] = {10, 20, 30, 25, 15, 40, 35, 5};
    for (int k = 0; k < ITEMS; k++) {
        int *from = best[k % 2], *to = best[1 - k % 2];
#pragma omp parallel for
        for (int c = 0; c <= CAP; c++) {
            to[c] = from[c];
            if (c >= weight[k] && from[c - weight[k]] + weight[k] > to[c])
                to[c] = from[c - weight[k]] + weight[k];
        }
    }
    assert(best[ITEMS % 2][CAP] == 180);
    return 0;
}
