//@ verdict: race
//@ race: low[*][*] 16 18
//@ about: for collapse(2): both halves of a symmetric matrix are written, and one is read by another iteration
#include <stdio.h>
#define N 50

static int low[N][N];

int main(void)
{
    int seen = 0;
#pragma omp parallel for collapse(2) reduction(+ : seen)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (j < i)
                low[i][j] = 1;
            else
                seen += low[j][i];
        }
    printf("%d\n", seen);
    return 0;
}
