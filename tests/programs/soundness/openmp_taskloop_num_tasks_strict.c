//@ verdict: race-free
//@ about: num_tasks(strict: 3) of seven iterations: three, two and two
int a, b[7];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(strict : 3)
    for (int i = 0; i < 7; i++) {
        b[i] = i;
        if (i == 3 || i == 4)
            a += i;
    }
}
