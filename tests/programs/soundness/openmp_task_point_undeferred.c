//@ verdict: defect
//@ defect: deadlock 13
//@ about: the creation of an undeferred task is a scheduling point as well
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
#pragma omp task if (0)
            {
            }
        }
    }
}
