//@ verdict: race
//@ race: a[*] 18 21
//@ options: --env OMP_SCHEDULE=dynamic,2
//@ about: OMP_SCHEDULE=dynamic: two loops with schedule(runtime) and nowait share nothing
#include <omp.h>
#define N 12

static int a[N], b[N];

int main(void)
{
    int chunk;
    omp_sched_t kind;
    omp_get_schedule(&kind, &chunk);
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < N; i++) a[i] = chunk;
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
    }
    return 0;
}
