//@ verdict: race-free
//@ about: stages of a fast Fourier transform, butterflies in parallel
#include <complex.h>
#include <math.h>
#define N 256
double complex x[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i;
    for (int len = 2; len <= N; len *= 2) {
        int half = len / 2;
#pragma omp parallel for
        for (int k = 0; k < N; k += len) {
            for (int j = 0; j < half && k + j + half < N; j++) {
                double complex w = cexp(-2 * M_PI * I * j / len), t = w * x[k + j + half], u = x[k + j];
                x[k + j] = u + t;
                x[k + j + half] = u - t;
            }
        }
    }
    return 0;
}
