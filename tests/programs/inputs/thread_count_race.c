//@ verdict: race
//@ race: counter 14 14
//@ about: as many threads as an input says that is checked to be at most three, without a lock
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    (void)arg;
    counter++;
    return NULL;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    pthread_t ids[3];
    if (n < 0 || n > 3)
        return 0;
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], NULL, worker, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    return counter != n;
}
