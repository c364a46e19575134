//@ verdict: race
//@ race: total 20 20
//@ about: nested parallel for: all inner teams add to one variable
#include <omp.h>
#include <stdio.h>
#define N 50

int main(void)
{
    int total = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++) {
        int row = 0;
#pragma omp parallel for num_threads(2) reduction(+ : row)
        for (int j = 0; j < N; j++)
            row += i ^ j;
        // Nobody keeps the rows apart.
        if (row > 0)
            total += row;
    }
    printf("%d\n", total);
    return 0;
}
