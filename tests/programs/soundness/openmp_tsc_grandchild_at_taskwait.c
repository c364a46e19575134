//@ verdict: defect
//@ defect: deadlock 15
//@ about: a descendant that is no child may be executed at a taskwait: it wants the lock that is held there
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            {
#pragma omp critical
                x++;
            }
        }
#pragma omp critical
        {
#pragma omp taskwait
        }
    }
}
