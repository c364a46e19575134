//@ verdict: race-free
//@ about: a tied task in a taskwait keeps its siblings from its thread, which holds a lock that they want
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp critical
            {
#pragma omp task
                {
                }
#pragma omp taskwait
            }
        }
#pragma omp task
        {
#pragma omp critical
            x++;
        }
    }
}
