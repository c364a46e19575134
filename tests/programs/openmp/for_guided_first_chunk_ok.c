//@ verdict: race-free
//@ about: for schedule(guided, 4): the first four iterations are always in one chunk
#define N 100
int a[N + 10];

int main(void)
{
#pragma omp parallel for schedule(guided, 4) num_threads(3)
    for (int i = 0; i < N; i++) {
        if (i == 0 || i == 3)
            a[N] = i; /* always in the first chunk */
        a[i] = i;
    }
    return 0;
}
