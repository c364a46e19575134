//@ verdict: race-free
//@ about: depend(inout: omp_all_memory) comes before all later dependences
int x, y;

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(inout : omp_all_memory) shared(y)
        y = 1;
#pragma omp task depend(in : y) shared(y)
        x = y;
    }
    return 0;
}
