//@ verdict: race-free
//@ about: grainsize of more than the iterations: one task
int a, b[4];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(100)
    for (int i = 0; i < 4; i++) {
        b[i] = i;
        if (1)
            a += i;
    }
}
