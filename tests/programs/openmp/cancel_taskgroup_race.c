//@ verdict: race
//@ race: found 19 19
//@ about: cancel taskgroup: two tasks may both find something
#include <stdio.h>
#define N 20

int main(void)
{
    int found = -1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < N; i++) {
#pragma omp task shared(found)
                {
                    if (i % 7 == 3) {
                        found = i;
#pragma omp cancel taskgroup
                    }
                }
            }
        }
    }
    printf("%d\n", found);
    return 0;
}
