//@ verdict: race-free
//@ about: merge sort by tasks
#include <assert.h>
#include <string.h>
#define N 64

static void merge(int *v, int *tmp, int lo, int mid, int hi)
{
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi)
        tmp[k++] = v[i] <= v[j] ? v[i++] : v[j++];
    while (i < mid)
        tmp[k++] = v[i++];
    while (j < hi)
        tmp[k++] = v[j++];
    memcpy(v + lo, tmp + lo, sizeof(int) * (size_t)(hi - lo));
}

static void sort(int *v, int *tmp, int lo, int hi)
{
    if (hi - lo < 2)
        return;
    int mid = (lo + hi) / 2;
#pragma omp task
    sort(v, tmp, lo, mid);
#pragma omp task
    sort(v, tmp, mid, hi);
#pragma omp taskwait
    merge(v, tmp, lo, mid, hi);
}

int main(void)
{
    int v[N], tmp[N];
    for (int i = 0; i < N; i++)
        v[i] = (i * 37 + 11) % N;
#pragma omp parallel
#pragma omp single
    sort(v, tmp, 0, N);
    for (int i = 0; i < N; i++)
        assert(v[i] == i);
    return 0;
}
