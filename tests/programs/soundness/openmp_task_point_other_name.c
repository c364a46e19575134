//@ verdict: race-free
//@ about: the other task wants another lock
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp critical(one)
            x++;
        }
#pragma omp critical(two)
        {
#pragma omp task
            {
            }
        }
    }
}
