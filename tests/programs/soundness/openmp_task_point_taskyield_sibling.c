//@ verdict: race-free
//@ about: at a taskyield of a tied task no sibling is executed on its thread
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
#pragma omp taskyield
            }
        }
#pragma omp task
        {
#pragma omp critical
            x++;
        }
    }
}
