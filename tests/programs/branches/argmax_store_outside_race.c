//@ verdict: race
//@ race: where 18 18
//@ flags: -fopenmp
//@ about: the index is stored outside of the lock, and only by who wins
#define N 300
static int a[N];
int main(void)
{
    int max = -1, where = -1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 7) % 50;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int won = 0;
#pragma omp critical
        if (a[i] > max) { max = a[i]; won = 1; }
        if (won)
            where = i;
    }
    return where < 0;
}
