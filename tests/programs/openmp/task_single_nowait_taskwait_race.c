//@ verdict: race
//@ race: x 14 17
//@ about: taskwait waits for the children of the thread's own implicit task, and who executes the single is open
#include <stdio.h>

int main(void)
{
    int x = 0, seen[4] = {0};
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        {
#pragma omp task shared(x)
            x = 1;
        }
#pragma omp taskwait
        if (x) seen[0] = 0;
    }
    printf("%d\n", x);
    return 0;
}
