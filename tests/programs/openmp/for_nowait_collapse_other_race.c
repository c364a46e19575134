//@ verdict: race
//@ race: a[*][*] 18 14
//@ about: a collapsed static loop and one over rows have different mappings
#define N 20
int a[N][N];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for collapse(2) schedule(static) nowait
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j]++;
    }
    return 0;
}
