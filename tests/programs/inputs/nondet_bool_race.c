//@ verdict: race
//@ race: mode 30 18
//@ about: the race needs one value of a nondeterministic boolean
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

extern bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mode;

static void *worker(void *arg)
{
    bool careless = *(bool *)arg;
    if (!careless)
        pthread_mutex_lock(&lock);
    mode = 2;
    if (!careless)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    bool careless = __VERIFIER_nondet_bool();
    pthread_create(&t, NULL, worker, &careless);
    pthread_mutex_lock(&lock);
    mode = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
