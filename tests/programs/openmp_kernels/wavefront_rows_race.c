//@ verdict: race
//@ race: d[*][*] 27 27
//@ about: edit distance with the rows shared out, though each needs the one above
#include <stdio.h>
#define N 50

static int d[N + 1][N + 1];

static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

int main(void)
{
    char s[N], t[N];
    for (int i = 0; i < N; i++) {
        s[i] = (char)('a' + i % 7);
        t[i] = (char)('a' + i % 5);
    }
    for (int i = 0; i <= N; i++)
        d[i][0] = d[0][i] = i;
#pragma omp parallel for
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (s[i - 1] != t[j - 1]));
    printf("%d\n", d[N][N]);
    return 0;
}
