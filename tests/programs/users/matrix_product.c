//@ verdict: race-free
//@ about: rows of a matrix product are shared out to threads; data are random
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define T 4
static int n = 12;
static double *A, *B, *C;
struct range {
    int lo, hi;
};
static void *mul(void *p)
{
    struct range *r = p;
    for (int i = r->lo; i < r->hi; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += A[i * n + k] * B[k * n + j];
            C[i * n + j] = s;
        }
    return NULL;
}
int main(int argc, char **argv)
{
    if (argc > 1)
        n = atoi(argv[1]);
    A = malloc(sizeof(double) * n * n);
    B = malloc(sizeof(double) * n * n);
    C = calloc(n * n, sizeof(double));
    for (int i = 0; i < n * n; i++) {
        A[i] = i % 7;
        B[i] = (double)rand() / RAND_MAX;
    }
    pthread_t t[T];
    struct range r[T];
    int step = n / T;
    for (int i = 0; i < T; i++) {
        r[i].lo = i * step;
        r[i].hi = i == T - 1 ? n : r[i].lo + step;
        pthread_create(&t[i], NULL, mul, &r[i]);
    }
    for (int i = 0; i < T; i++)
        pthread_join(t[i], NULL);
    double tr = 0;
    for (int i = 0; i < n; i++)
        tr += C[i * n + i];
    printf("trace %f\n", tr);
    free(A);
    free(B);
    free(C);
}
