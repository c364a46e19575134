//@ verdict: race
//@ race: a 14 14
//@ about: without a clause every iteration may be a task
int a, b[4];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop
    for (int i = 0; i < 4; i++) {
        b[i] = i;
        if (i == 2 || i == 3)
            a += i;
    }
}
