//@ verdict: race-free
//@ about: grainsize(3) of eight iterations: the last three are always in one task
int a, b[8];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(3)
    for (int i = 0; i < 8; i++) {
        b[i] = i;
        if (i > 4)
            a += i;
    }
}
