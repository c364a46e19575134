//@ verdict: race
//@ races: at-least
//@ race: tmp[*] 16 18
//@ may-race: v[*]|tmp[*] 21 21
//@ about: merge sort by tasks; nobody waits for the left half: two merges write the same part of tmp
#include <stdio.h>
#define N 32

static int v[N], tmp[N];

static void merge(int lo, int mid, int hi)
{
    int i = lo, j = mid;
    for (int k = lo; k < hi; k++) {
        if (i < mid && (j >= hi || v[i] <= v[j]))
            tmp[k] = v[i++];
        else
            tmp[k] = v[j++];
    }
    for (int k = lo; k < hi; k++)
        v[k] = tmp[k];
}

static void sort(int lo, int hi)
{
    if (hi - lo < 2)
        return;
    int mid = (lo + hi) / 2;
#pragma omp task
    sort(lo, mid);
    sort(mid, hi);
    merge(lo, mid, hi);
}

int main(void)
{
    for (int i = 0; i < N; i++)
        v[i] = (i * 11 + 5) % N;
#pragma omp parallel
#pragma omp single
    sort(0, N);
    printf("%d\n", v[0]);
    return 0;
}
