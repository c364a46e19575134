//@ verdict: race
//@ race: best|best.x|best.y 19 19
//@ about: for: a struct is assigned as a whole
#include <stdio.h>
#define N 100

struct point {
    int x, y;
};

int main(void)
{
    struct point p[N], best = {0, 0};
    for (int i = 0; i < N; i++)
        p[i].x = p[i].y = i;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (p[i].x % 10 == 0)
            best = p[i];
    printf("%d\n", best.x);
    return 0;
}
