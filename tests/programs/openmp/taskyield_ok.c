//@ verdict: race-free
//@ about: taskyield inside tasks that work on their own element
#include <assert.h>

int main(void)
{
    int v[20];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
            v[i] = i;
#pragma omp taskyield
            v[i] *= 2;
        }
    }
    for (int i = 0; i < 20; i++)
        assert(v[i] == 2 * i);
    return 0;
}
