//@ verdict: race
//@ race: last 11 19
//@ about: sections lastprivate nowait: the last value is written back while another thread reads it
#include <stdio.h>

int main(void)
{
    int last = 0, seen[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
#pragma omp sections lastprivate(last) nowait
        {
#pragma omp section
            last = 1;
#pragma omp section
            last = 2;
        }
#pragma omp critical
        seen[last % 2]++;
    }
    printf("%d %d\n", seen[0], seen[1]);
    return 0;
}
