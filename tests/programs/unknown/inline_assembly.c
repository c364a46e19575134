//@ verdict: unknown
//@ reason: inline assembly
//@ reason-line: 11
//@ about: inline assembly that computes something is not supported
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    int *n = arg;
    __asm__ volatile("addl $1, %0" : "+m"(*n));
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 0;
    pthread_create(&t, NULL, worker, &n);
    pthread_join(t, NULL);
    return n;
}
