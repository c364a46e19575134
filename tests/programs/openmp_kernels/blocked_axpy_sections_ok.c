//@ verdict: race-free
//@ about: three vectors prepared in sections, combined in a loop, summed by a single
#include <assert.h>
#define N 300

static int a[N], b[N], c[N];

int main(void)
{
    long sum = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            for (int i = 0; i < N; i++)
                a[i] = i;
#pragma omp section
            for (int i = 0; i < N; i++)
                b[i] = N - i;
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            c[i] = a[i] + b[i];
#pragma omp single nowait
        for (int i = 0; i < N; i++)
            sum += c[i];
    }
    assert(sum == (long)N * N);
    return 0;
}
