//@ verdict: race-free
//@ about: cancel taskgroup: tasks on their own elements
#include <assert.h>
#define N 20

int main(void)
{
    int v[N] = {0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
            for (int i = 0; i < N; i++) {
#pragma omp task
                {
#pragma omp cancellation point taskgroup
                    v[i] = 1;
                    if (i == 5) {
#pragma omp cancel taskgroup
                    }
                }
            }
        }
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == 0 || v[i] == 1);
    return 0;
}
