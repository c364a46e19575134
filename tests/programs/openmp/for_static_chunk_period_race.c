//@ verdict: race
//@ race: a[*] 16 15
//@ about: the same chunks with a team of three
/* writes i and i+T*c fall on one thread under static,c only if T is what we think */
#include <omp.h>
#define N 64
int a[N + 16];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(static, 2)
        for (int i = 0; i < N; i++) {
            a[i] += 1;
            a[i + 8] += 1;
        }
    }
    return 0;
}
