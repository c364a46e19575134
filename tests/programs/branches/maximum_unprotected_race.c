//@ verdict: race
//@ race: max 14 15
//@ race: max 15 15
//@ flags: -fopenmp
//@ about: the test and the store are not protected
#define N 1000
static int a[N];
int main(void)
{
    int max = -1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 37) % 1009;
#pragma omp parallel for
    for (int i = 0; i < N; i++) if (a[i] > max)
            max = a[i];
    return max < 0;
}
