//@ verdict: race
//@ race: a[*] 13 13
//@ about: for schedule(guided, 10): a chunk has 10 iterations or more, so it may end behind any but the first nine
#define N 100
int a[N + 4];

int main(void)
{
    /* with chunk 10 every piece has 10 iterations or more, aligned? only dynamic aligns */
#pragma omp parallel for schedule(guided, 10)
    for (int i = 0; i < N; i++)
        if (i % 10 != 9)
            a[i] = a[i + 1] + 1;
    return 0;
}
