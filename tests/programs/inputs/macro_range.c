//@ verdict: race-free
//@ options: --define N=1..3
//@ about: a macro of the source takes every value of a range
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif

static int part[N];

static void *worker(void *arg)
{
    *(int *)arg = 5;
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, &part[i]);
    int sum = 0;
    for (int i = 0; i < N; i++) {
        pthread_join(t[i], NULL);
        sum += part[i];
    }
    assert(sum == 5 * N);
    return 0;
}
