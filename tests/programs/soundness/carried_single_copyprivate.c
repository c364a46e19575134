//@ verdict: race-free
//@ about: copyprivate gives every thread what the single has written through a pointer
#include <assert.h>
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp single copyprivate(mine)
        *p = 7;
        assert(mine == 7);
    }
}
