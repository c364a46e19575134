//@ verdict: race-free
//@ about: grainsize(strict: 2) of five iterations: two, two and one
int a, b[5];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(strict : 2)
    for (int i = 0; i < 5; i++) {
        b[i] = i;
        if (i == 2 || i == 3)
            a += i;
    }
}
