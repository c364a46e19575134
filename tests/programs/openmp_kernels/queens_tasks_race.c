//@ verdict: race
//@ races: at-least
//@ race: col[*] 30 14
//@ about: the queens problem: the first choices are tasks, but they share one board
#include <stdio.h>
#define N 5

static int col[N];
static int solutions;

static int safe(int row, int c)
{
    for (int r = 0; r < row; r++) {
        int d = col[r];
        if (d == c || d - c == row - r || c - d == row - r)
            return 0;
    }
    return 1;
}

static void place(int row)
{
    if (row == N) {
#pragma omp atomic
        solutions++;
        return;
    }
    for (int c = 0; c < N; c++)
        if (safe(row, c)) {
            col[row] = c;
            place(row + 1);
        }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int c = 0; c < N; c++) {
#pragma omp task
        {
            col[0] = c;
            place(1);
        }
    }
    printf("%d\n", solutions);
    return 0;
}
