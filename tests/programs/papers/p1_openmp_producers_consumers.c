//@ verdict: race-free
//@ about: P1 section 3.4: several producers and several consumers with one critical section
#include <assert.h>
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
#pragma omp critical(stack)
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
#pragma omp critical(stack)
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
    int sum = 0;
    for (int c = 0; c < CONSUMERS; c++)
        sum += taken[c];
    assert(sum == PRODUCERS * EACH * (PRODUCERS * EACH + 1) / 2);
    return 0;
}
