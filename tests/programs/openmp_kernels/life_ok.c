//@ verdict: race-free
//@ about: game of life with two boards
#include <assert.h>
#include <string.h>
#define N 32

static char board[2][N][N];

int main(void)
{
    board[0][1][2] = board[0][2][3] = board[0][3][1] = board[0][3][2] = board[0][3][3] = 1;
    for (int gen = 0; gen < 4; gen++) {
        int s = gen % 2;
#pragma omp parallel for collapse(2)
        for (int r = 0; r < N; r++)
            for (int c = 0; c < N; c++) {
                int n = 0;
                for (int dr = -1; dr <= 1; dr++)
                    for (int dc = -1; dc <= 1; dc++)
                        if (dr || dc)
                            n += board[s][(r + dr + N) % N][(c + dc + N) % N];
                board[1 - s][r][c] = n == 3 || (n == 2 && board[s][r][c]);
            }
    }
    assert(board[0][2][3] && board[0][3][4] && board[0][4][2] && board[0][4][3] && board[0][4][4]);
    return 0;
}
