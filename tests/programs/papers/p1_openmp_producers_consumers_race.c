//@ verdict: race
//@ races: at-least
//@ race: height 30 43
//@ race: height 30 42
//@ may-race: stack_[*] 30 43
//@ about: P1 section 3.4: several producers and several consumers, with a critical section of another name on each side
#include <stdio.h>
#include <omp.h>
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef EACH
#define EACH 1
#endif
#define CAP 2

static int stack_[CAP];
static int height;
static int taken[CONSUMERS];

static void producer(int id)
{
    for (int k = 0; k < EACH;) {
#pragma omp critical(push)
        {
            if (height < CAP) {
                stack_[height++] = id * EACH + k + 1;
                k++;
            }
        }
    }
}

static void consumer(int id)
{
    for (int k = 0; k < PRODUCERS * EACH / CONSUMERS;) {
#pragma omp critical(pop)
        {
            if (height > 0) {
                taken[id] += stack_[--height];
                k++;
            }
        }
    }
}

int main(void)
{
#pragma omp parallel num_threads(PRODUCERS + CONSUMERS)
    {
        int me = omp_get_thread_num();
        if (me < PRODUCERS)
            producer(me);
        else
            consumer(me - PRODUCERS);
    }
    printf("%d\n", taken[0]);
    return 0;
}
