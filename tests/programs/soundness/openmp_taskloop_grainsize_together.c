//@ verdict: race-free
//@ about: grainsize(2): the first two iterations are always in one task
int a, b[5];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 5; i++) {
        b[i] = i;
        if (i < 2)
            a += i;
    }
}
