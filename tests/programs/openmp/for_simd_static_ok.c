//@ verdict: race-free
//@ about: for simd schedule(simd: static, 4) and the next loop behind its barrier
#define N 320
float a[N], b[N];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for simd schedule(simd : static, 4)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for simd schedule(static)
        for (int i = 0; i < N; i++)
            b[i] = a[i];
    }
    for (int i = 0; i < N; i++)
        if (a[i] != i || b[i] != i)
            return 1;
    return 0;
}
