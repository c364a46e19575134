//@ verdict: race-free
//@ about: rand, time and __VERIFIER_nondet_int as mere data need no enumeration
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    sum += *(unsigned *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    srand((unsigned)time(NULL));
    unsigned x = (unsigned)rand(), y = (unsigned)__VERIFIER_nondet_int() * 3u;
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%u\n", sum);
    return 0;
}
