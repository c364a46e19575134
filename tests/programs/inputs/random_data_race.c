//@ verdict: race
//@ race: sum 12 12
//@ about: random data does not hide the race
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned sum;

static void *worker(void *arg)
{
    sum += *(unsigned *)arg;
    return NULL;
}

int main(void)
{
    unsigned x = (unsigned)rand(), y = (unsigned)rand();
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%u\n", sum);
    return 0;
}
