//@ verdict: race
//@ race: a 14 14
//@ about: grainsize(2) of five iterations: two and three, or three and two
int a, b[5];

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 5; i++) {
        b[i] = i;
        if (i == 1 || i == 2)
            a += i;
    }
}
