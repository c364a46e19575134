//@ verdict: race
//@ race: tail 14 14
//@ about: for schedule(monotonic: dynamic, 2): the order of one thread's chunks does not order threads
#include <stdio.h>

int main(void)
{
    int log_[100];
    int tail = 0;
#pragma omp parallel for schedule(monotonic : dynamic, 2)
    for (int i = 0; i < 100; i++) {
        int slot = i;
        log_[slot] = i;
        tail = slot;
    }
    printf("%d %d\n", log_[0], tail);
    return 0;
}
