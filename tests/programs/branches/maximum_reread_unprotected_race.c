//@ verdict: race
//@ race: max 14 17
//@ flags: -fopenmp
//@ about: the first test is made without the lock
#define N 1000
static int a[N];
int main(void)
{
    int max = -1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 37) % 1009;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        if (a[i] > max) {
#pragma omp critical
            if (a[i] > max)
                max = a[i];
        }
    }
    return max < 0;
}
