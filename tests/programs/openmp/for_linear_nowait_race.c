//@ verdict: race
//@ race: k 17 11
//@ about: linear with nowait: the last value is written back while others go on
int a[100], r;

int main(void)
{
    int k = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp for linear(k : 2) nowait
        for (int i = 0; i < 100; i++) {
            a[i] = k;
            k += 2;
        }
#pragma omp single
        r = k;
    }
    return 0;
}
