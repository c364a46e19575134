//@ verdict: race
//@ race: a 13 15
//@ about: an untied task goes on without waiting for its child
int a;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task untied
    {
#pragma omp task untied
        a = 1;
#pragma omp taskyield
        a++;
    }
}
