//@ verdict: race-free
//@ flags: -fopenmp
//@ about: an iteration that ends when the largest change is small enough
#include <math.h>
#define N 400
static double a[N], b[N];
int main(void)
{
    double change = 1;
    a[0] = 1;
    for (int step = 0; step < 30 && change > 1e-3; step++) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i < N - 1; i++) {
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
            double d = fabs(b[i] - a[i]);
            if (d > change)
                change = d;
        }
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            a[i] = b[i];
    }
    return 0;
}
