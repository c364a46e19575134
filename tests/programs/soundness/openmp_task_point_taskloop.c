//@ verdict: defect
//@ defect: deadlock 13
//@ about: the creation of the tasks of a taskloop is a scheduling point
int x, b[2];

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
#pragma omp taskloop nogroup
            for (int i = 0; i < 2; i++)
                b[i] = i;
        }
    }
}
