//@ verdict: defect
//@ defect: deadlock 13
//@ about: at the end of a task group a thread may execute a task from outside
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
#pragma omp taskgroup
            {
            }
        }
    }
}
