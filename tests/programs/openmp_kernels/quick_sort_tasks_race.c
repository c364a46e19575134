//@ verdict: race
//@ races: at-least
//@ race: v[*] 21 42
//@ about: quick sort by tasks; the result is checked inside the single, before the tasks are done
#include <stdio.h>
#define N 100

static void sort(int *v, int lo, int hi)
{
    if (lo >= hi)
        return;
    int pivot = v[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (v[i] < pivot)
            i++;
        while (v[j] > pivot)
            j--;
        if (i <= j) {
            int t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
#pragma omp task
    sort(v, lo, j);
#pragma omp task
    sort(v, i, hi);
}

int main(void)
{
    int v[N], wrong = 0;
    for (int i = 0; i < N; i++)
        v[i] = (i * 71 + 3) % 100;
#pragma omp parallel
    {
#pragma omp single
        {
            sort(v, 0, N - 1);
            for (int i = 0; i < N; i++)
                wrong += v[i] != i;
        }
    }
    printf("%d\n", wrong);
    return 0;
}
