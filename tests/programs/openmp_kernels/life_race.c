//@ verdict: race
//@ race: board[*][*] 20 19
//@ about: game of life on one board
#include <stdio.h>
#define N 32

static char board[N][N];

int main(void)
{
    board[1][2] = board[2][3] = board[3][1] = board[3][2] = board[3][3] = 1;
    for (int gen = 0; gen < 2; gen++) {
#pragma omp parallel for collapse(2)
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++) {
                int n = -board[r][c];
                for (int dr = -1; dr <= 1; dr++)
                    for (int dc = -1; dc <= 1; dc++)
                        n += board[(r + dr + N) % N][(c + dc + N) % N];
                board[r][c] = (char)((n == 3) | (n == 2));
            }
    }
    printf("%d\n", board[2][3]);
    return 0;
}
