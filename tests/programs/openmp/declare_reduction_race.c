//@ verdict: race
//@ race: best.value 22 21
//@ race: best.value 22 22
//@ race: best.index 23 23
//@ about: the minimum and its place in a shared struct, without the reduction
#include <stdio.h>
#define N 300

struct least {
    int value, index;
};

int main(void)
{
    int v[N];
    struct least best = {1 << 30, 1 << 30};
    for (int i = 0; i < N; i++)
        v[i] = (i * 91 + 17) % N;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (v[i] < best.value) {
            best.value = v[i];
            best.index = i;
        }
    }
    printf("%d %d\n", best.value, best.index);
    return 0;
}
