//@ verdict: race
//@ race: a 13 13
//@ about: an iteration waits for the tasks of its own thread only
int a;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 2; i++) {
#pragma omp task
            a = i;
#pragma omp taskwait
        }
    }
}
