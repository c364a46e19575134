//@ verdict: race-free
//@ about: an ordered loop: its threads count their iterations through a pointer
#include <assert.h>
int order[4], at, total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0, *p = &mine;
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 4; i++) {
            *p += 1;
#pragma omp ordered
            order[at++] = i;
        }
#pragma omp atomic
        total += mine;
    }
    assert(total == 4 && order[3] == 3);
}
