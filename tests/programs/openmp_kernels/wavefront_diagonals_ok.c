//@ verdict: race-free
//@ about: edit distance along the diagonals
#include <assert.h>
#include <string.h>
#define N 50

static int d[N + 1][N + 1];

static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

int main(void)
{
    char s[N + 1], t[N + 1];
    for (int i = 0; i < N; i++) {
        s[i] = (char)('a' + i % 7);
        t[i] = (char)('a' + i % 5);
    }
    s[N] = t[N] = 0;
    for (int i = 0; i <= N; i++)
        d[i][0] = d[0][i] = i;
    for (int sum = 2; sum <= 2 * N; sum++) {
        int from = sum > N ? sum - N : 1, to = sum > N ? N : sum - 1;
#pragma omp parallel for
        for (int i = from; i <= to; i++) {
            int j = sum - i;
            d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (s[i - 1] != t[j - 1]));
        }
    }
    assert(d[5][5] == 0 && d[N][N] > 0 && d[N][N] < N && strlen(s) == N);
    return 0;
}
