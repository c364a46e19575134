//@ verdict: race-free
//@ about: Cholesky decomposition of blocks by tasks with dependences
#include <assert.h>
#include <math.h>
#define NB 4
#define B 6

static double m[NB][NB][B][B];

static void factor(double a[B][B])
{
    for (int k = 0; k < B; k++) {
        a[k][k] = sqrt(a[k][k]);
        for (int i = k + 1; i < B; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < B; i++)
            for (int j = k + 1; j <= i; j++)
                a[i][j] -= a[i][k] * a[j][k];
    }
}

static void solve(double l[B][B], double x[B][B])
{
    for (int r = 0; r < B; r++)
        for (int c = 0; c < B; c++) {
            for (int k = 0; k < c; k++)
                x[r][c] -= x[r][k] * l[c][k];
            x[r][c] /= l[c][c];
        }
}

static void update(double a[B][B], double b[B][B], double c[B][B])
{
    for (int r = 0; r < B; r++)
        for (int s = 0; s < B; s++)
            for (int k = 0; k < B; k++)
                c[r][s] -= a[r][k] * b[s][k];
}

int main(void)
{
    for (int i = 0; i < NB * B; i++)
        for (int j = 0; j <= i; j++)
            m[i / B][j / B][i % B][j % B] = m[j / B][i / B][j % B][i % B] = i == j ? 4.0 * NB * B : 1.0;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < NB; k++) {
#pragma omp task depend(inout : m[k][k])
        factor(m[k][k]);
        for (int i = k + 1; i < NB; i++) {
#pragma omp task depend(in : m[k][k]) depend(inout : m[i][k])
            solve(m[k][k], m[i][k]);
        }
        for (int i = k + 1; i < NB; i++)
            for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : m[i][k], m[j][k]) depend(inout : m[i][j])
                update(m[i][k], m[j][k], m[i][j]);
            }
    }
    assert(fabs(m[0][0][0][0] * m[0][0][0][0] - 4.0 * NB * B) < 1e-9);
    return 0;
}
