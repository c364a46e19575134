//@ verdict: race-free
//@ about: a character decides whether a lock is taken
#include <pthread.h>
#include <stddef.h>
extern char __VERIFIER_nondet_char(void);

static int done, work;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    work++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    char c = __VERIFIER_nondet_char();
    pthread_create(&t, NULL, worker, NULL);
    if (c == 'q')
        done = 1;
    if (c != 'q')
        pthread_mutex_lock(&m);
    if (c >= 'a' && c <= 'p')
        work++;
    if (c != 'q')
        pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return done;
}
