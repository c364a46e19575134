//@ verdict: race
//@ race: y 14 17
//@ about: dependences order siblings: not a task and its brother's child
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(in : x) depend(inoutset : x)
        {
#pragma omp task depend(inout : x)
            y = 1;
        }
#pragma omp task depend(in : x)
        y += 2;
    }
}
