//@ verdict: race-free
//@ about: the queens problem: a task for each choice, every task with its own board, an atomic count
#include <assert.h>
#include <string.h>
#define N 5

static int solutions;

static int safe(const int *col, int row, int c)
{
    for (int r = 0; r < row; r++)
        if (col[r] == c || col[r] - c == row - r || c - col[r] == row - r)
            return 0;
    return 1;
}

static void place(const int *col, int row)
{
    if (row == N) {
#pragma omp atomic
        solutions++;
        return;
    }
    for (int c = 0; c < N; c++)
        if (safe(col, row, c)) {
            int next[N];
            memcpy(next, col, sizeof next);
            next[row] = c;
#pragma omp task firstprivate(next)
            place(next, row + 1);
        }
#pragma omp taskwait
}

int main(void)
{
    int col[N] = {0};
#pragma omp parallel
#pragma omp single
    place(col, 0);
    assert(solutions == 10);
    return 0;
}
