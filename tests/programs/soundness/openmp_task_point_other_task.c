//@ verdict: defect
//@ defect: deadlock 13
//@ about: at the creation of a task its creator may execute another one, which wants the lock that it holds
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp critical
            x++;
        }
#pragma omp critical
        {
#pragma omp task
            {
            }
        }
    }
}
