//@ verdict: defect
//@ defect: deadlock 15
//@ about: at a creation the creator may execute a task and then the one that depends on it, which wants the lock
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : y)
        y = 1;
#pragma omp task depend(in : y)
        {
#pragma omp critical
            x += y;
        }
#pragma omp critical
        {
#pragma omp task
            {
            }
        }
    }
}
