//@ verdict: race-free
//@ about: each iteration of a worksharing loop makes a task for its own element
#include <assert.h>
int a[4];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < 4; i++) {
#pragma omp task
            a[i] = i;
        }
    }
    assert(a[0] + a[1] + a[2] + a[3] == 6);
}
