//@ verdict: race
//@ race: a[*] 16 13
//@ about: for simd schedule(static): loops with simd are excepted from the promise of equal mappings (OpenMP 5.2, 11.5.3)
#define N 320
float a[N], b[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for simd schedule(simd : static) nowait
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            b[i] = a[i];
    }
    return 0;
}
