//@ verdict: race
//@ race: v[*] 13 20
//@ about: orphaned for nowait, called twice in a row
#include <stdio.h>
#define N 250

static int v[N], w[N];

static void fill(void)
{
#pragma omp for nowait
    for (int i = 0; i < N; i++)
        v[i] = i;
}

static void use(void)
{
#pragma omp for
    for (int i = 0; i < N; i++)
        w[i] = v[N - 1 - i];
}

int main(void)
{
#pragma omp parallel
    {
        fill();
        use();
    }
    printf("%d\n", w[0]);
    return 0;
}
