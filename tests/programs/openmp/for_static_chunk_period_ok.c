//@ verdict: race-free
//@ about: static chunks whose distance is a multiple of the team fall on one thread
/* writes i and i+T*c fall on one thread under static,c only if T is what we think */
#include <omp.h>
#define N 64
int a[N + 16];

int main(void)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(static, 2)
        for (int i = 0; i < N; i++) {
            a[i] += 1;
            a[i + 8] += 1;
        }
    }
    return 0;
}
