//@ verdict: race
//@ race: x 15 11
//@ about: firstprivate with nowait: a thread that is late copies the variable while another changes it
int x, a[40];

int main(void)
{
    x = 3;
#pragma omp parallel num_threads(2)
    {
#pragma omp for firstprivate(x) nowait
        for (int i = 0; i < 40; i++)
            a[i] = x + i;
#pragma omp single
        x = 9; /* a thread that is late copies x now */
    }
    return 0;
}
