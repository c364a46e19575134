//@ verdict: race-free
//@ about: declare reduction: adding up a struct of three components
#include <assert.h>
#define N 200

typedef struct {
    long x, y, z;
} vec;

#pragma omp declare reduction(add : vec : omp_out.x += omp_in.x, omp_out.y += omp_in.y, omp_out.z += omp_in.z) \
    initializer(omp_priv = (vec){0, 0, 0})

int main(void)
{
    vec total = {1, 2, 3};
#pragma omp parallel for reduction(add : total) schedule(dynamic, 3)
    for (int i = 0; i < N; i++) {
        total.x += i;
        total.y += 2 * i;
        total.z -= i;
    }
    long s = N * (N - 1) / 2;
    assert(total.x == 1 + s && total.y == 2 + 2 * s && total.z == 3 - s);
    return 0;
}
