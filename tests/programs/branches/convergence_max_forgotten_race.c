//@ verdict: race
//@ race: change 16 17
//@ flags: -fopenmp
//@ about: the same without the reduction
#include <math.h>
#define N 400
static double a[N], b[N];
int main(void)
{
    double change = 0;
    a[0] = 1;
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            double d = fabs(b[i] - a[i]);
            if (d > change)
                change = d;
        }
    return change > 100;
}
