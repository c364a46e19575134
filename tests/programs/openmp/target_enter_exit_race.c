//@ verdict: race
//@ race: v[*] 17 18
//@ about: target nowait between enter data and exit data, while the host writes
#include <stdio.h>
#include <stdlib.h>
#define N 200

int main(void)
{
    int *v = calloc(N, sizeof *v);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target enter data map(to : v[0 : N])
#pragma omp target nowait depend(out : v[0])
        for (int i = 0; i < N; i++)
            v[i] = i;
        v[3] = 1;
#pragma omp taskwait
#pragma omp target exit data map(from : v[0 : N])
    }
    printf("%d\n", v[0]);
    free(v);
    return 0;
}
