//@ verdict: race-free
//@ about: parallel default(none): everything is listed
#include <assert.h>
#define N 500

int main(void)
{
    int in[N], out[N];
    int scale = 3;
    for (int i = 0; i < N; i++)
        in[i] = i;
#pragma omp parallel default(none) shared(in, out) firstprivate(scale)
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            out[i] = scale * in[i];
    }
    for (int i = 0; i < N; i++)
        assert(out[i] == 3 * i);
    return 0;
}
