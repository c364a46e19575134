//@ verdict: race-free
//@ about: game of life with two boards, until nothing changes; `changed` is set to 1 by many under reduction(||)
#include <assert.h>
#include <string.h>
#define N 50

static unsigned char board[2][N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        board[0][i][(i * 7) % N] = board[0][i][(i * 7 + 1) % N] = 1;
    int now = 0, changed = 1;
    for (int step = 0; step < 4 && changed; step++) {
        changed = 0;
#pragma omp parallel for reduction(|| : changed)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                int n = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        n += board[now][i + di][j + dj];
                unsigned char next = n == 3 || (n == 4 && board[now][i][j]);
                board[1 - now][i][j] = next;
                if (next != board[now][i][j])
                    changed = 1;
            }
        now = 1 - now;
    }
    assert(changed == 0 || changed == 1);
    return 0;
}
