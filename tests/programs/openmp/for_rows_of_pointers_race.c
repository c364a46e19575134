//@ verdict: race
//@ race: *row[*]|row[*][*]|heap 19 19
//@ races: at-least
//@ about: for: an array of row pointers in which two are the same
#include <stdio.h>
#include <stdlib.h>
#define N 50

int main(void)
{
    int *row[N];
    for (int i = 0; i < N; i++)
        row[i] = calloc(N, sizeof(int));
    int *lost = row[20];
    row[20] = row[10];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            row[i][j] += j;
    printf("%d\n", row[10][3]);
    free(lost);
    for (int i = 0; i < N; i++)
        if (i != 20)
            free(row[i]);
    return 0;
}
