//@ verdict: race
//@ race: a 14 14
//@ about: num_tasks(2) of three iterations: the first task may have one
int a, b[3];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 3; i++) {
        b[i] = i;
        if (i < 2)
            a += i;
    }
}
