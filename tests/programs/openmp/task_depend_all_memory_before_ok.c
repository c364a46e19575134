//@ verdict: race-free
//@ about: depend(inout: omp_all_memory) comes behind all earlier dependences
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        x = 1;
#pragma omp task shared(y)
        z = 1;
#pragma omp task depend(inout : omp_all_memory) shared(x, y)
        y = x;
    }
    return 0;
}
