//@ verdict: race-free
//@ about: what the pointer points to is set at the beginning of every iteration: nothing is carried
#include <assert.h>
int a[4];
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp for
        for (int i = 0; i < 4; i++) {
            mine = i;
            *p += 1;
            a[i] = *p;
        }
    }
    assert(a[0] == 1 && a[3] == 4);
}
