//@ verdict: race-free
//@ options: --env OMP_SCHEDULE=static --env OMP_NUM_THREADS=3
//@ about: OMP_SCHEDULE fixes what schedule(runtime) leaves open: two loops share iterations out alike
#include <assert.h>
#include <omp.h>
#define N 90

static int a[N], b[N];

int main(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    assert(kind == omp_sched_static && omp_get_max_threads() == 3);
#pragma omp parallel
    {
        assert(omp_get_num_threads() == 3);
#pragma omp for schedule(runtime) nowait
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
    }
    assert(b[N - 1] == N);
    return 0;
}
