//@ verdict: race
//@ race: y 12 14
//@ about: taskwait with nowait makes an empty task and does not wait
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        y = 1;
#pragma omp taskwait depend(in : x) nowait
        y += 2;
    }
}
