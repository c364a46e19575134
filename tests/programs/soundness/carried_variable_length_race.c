//@ verdict: race
//@ race: x 15 15
//@ about: a private array of variable length, by a pointer into it
int x, n = 3;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int seen[n], *p = seen;
        for (int i = 0; i < n; i++)
            seen[i] = 0;
#pragma omp for
        for (int i = 0; i < 4; i++) {
            if (p[2])
                x = i;
            p[2] = 1;
        }
    }
}
