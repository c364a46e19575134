//@ verdict: race
//@ race: a 14 14
//@ about: num_tasks(strict: 3) of seven iterations: the first task ends behind the third
int a, b[7];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(strict : 3)
    for (int i = 0; i < 7; i++) {
        b[i] = i;
        if (i == 2 || i == 3)
            a += i;
    }
}
