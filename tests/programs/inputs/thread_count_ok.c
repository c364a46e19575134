//@ verdict: race-free
//@ about: as many threads as an input says that is checked to be at most three
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
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
