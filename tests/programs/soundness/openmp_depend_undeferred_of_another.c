//@ verdict: race
//@ race: y 12 16
//@ about: an undeferred task waits for what it depends on only
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        y = 1;
#pragma omp task if (0) depend(in : z)
        {
        }
        y += 2;
    }
}
