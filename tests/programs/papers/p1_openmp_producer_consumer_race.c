//@ verdict: race
//@ race: filled 24 35
//@ about: P1 section 3.4: one producer and one consumer; the consumer looks before it enters the critical section
#include <stdio.h>
#include <omp.h>
#ifndef ITEMS
#define ITEMS 3
#endif
#define CAP 2

static int ring[CAP];
static int filled, head, tail;
static int total;

static void put(int v)
{
    int done = 0;
    while (!done) {
#pragma omp critical(ring)
        {
            if (filled < CAP) {
                ring[tail] = v;
                tail = (tail + 1) % CAP;
                filled++;
                done = 1;
            }
        }
    }
}

static int take(void)
{
    int v = -1;
    while (v < 0) {
        if (filled > 0) {
#pragma omp critical(ring)
            {
                v = ring[head];
                head = (head + 1) % CAP;
                filled--;
            }
        }
    }
    return v;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            for (int k = 0; k < ITEMS; k++)
                put(k);
        } else {
            for (int k = 0; k < ITEMS; k++)
                total += take();
        }
    }
    printf("%d\n", total);
    return 0;
}
