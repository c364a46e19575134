//@ verdict: race-free
//@ about: a worker goes on as long as inputs say so: its states repeat
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int level;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (level < 3)
            level++;
        else
            level = 0;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return level > 3;
}
