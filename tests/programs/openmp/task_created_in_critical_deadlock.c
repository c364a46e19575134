//@ verdict: defect
//@ defect: deadlock 14
//@ about: a task that is executed where it is created, in a critical section, waits for that section
int main(void)
{
    int x = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp critical
        {
#pragma omp task shared(x)
            {
#pragma omp critical
                x++;
            }
        }
    }
    return x != 1;
}
