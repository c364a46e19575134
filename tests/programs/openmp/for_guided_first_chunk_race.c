//@ verdict: race
//@ race: a[*] 12 12
//@ about: for schedule(guided, 4): the sixth iteration need not be in the chunk of the third
#define N 100
int a[N + 10];

int main(void)
{
#pragma omp parallel for schedule(guided, 4) num_threads(3)
    for (int i = 0; i < N; i++) {
        if (i == 2 || i == 5)
            a[N] = i;
        a[i] = i;
    }
    return 0;
}
