//@ verdict: race
//@ race: y 12 14
//@ about: depend(inout: omp_all_memory) does not order a task without depend
int x, y;

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(inout : omp_all_memory) shared(y)
        y = 1;
#pragma omp task shared(y)
        x = y;
    }
    return 0;
}
