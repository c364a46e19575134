//@ verdict: race-free
//@ about: for ordered: what one iteration did before its block is seen by later ones after theirs
#include <assert.h>
#define N 100

int main(void)
{
    int a[N], b[N];
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < N; i++) {
        a[i] = 3 * i;
#pragma omp ordered
        {
        }
        b[i] = i > 0 ? a[i - 1] : 0;
    }
    for (int i = 1; i < N; i++)
        assert(b[i] == 3 * (i - 1));
    return 0;
}
