//@ verdict: race
//@ races: at-least
//@ race: next[*] 18 18
//@ about: counting sort with one table of places for all
#include <stdio.h>
#define N 100
#define KEYS 10

int main(void)
{
    int key[N], out[N + KEYS], next[KEYS];
    for (int i = 0; i < N; i++)
        key[i] = (i * 7 + 3) % KEYS;
    for (int k = 0; k < KEYS; k++)
        next[k] = k * (N / KEYS);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[next[key[i]]++] = key[i];
    printf("%d\n", out[0]);
    return 0;
}
