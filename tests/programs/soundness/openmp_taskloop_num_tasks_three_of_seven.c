//@ verdict: race
//@ race: a 14 14
//@ about: num_tasks(3) of seven iterations: a task may end behind any of them
int a, b[7];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(3)
    for (int i = 0; i < 7; i++) {
        b[i] = i;
        if (i == 3 || i == 4)
            a += i;
    }
}
