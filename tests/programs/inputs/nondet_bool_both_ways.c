//@ verdict: race-free
//@ about: both values of a nondeterministic boolean are explored
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

extern bool __VERIFIER_nondet_bool(void);

static int log_[2];
static int used;

static void *worker(void *arg)
{
    log_[used++] = *(int *)arg;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int id = 4;
    bool first = __VERIFIER_nondet_bool();
    if (first)
        log_[used++] = 1;
    pthread_create(&t, NULL, worker, &id);
    pthread_join(t, NULL);
    if (!first)
        log_[used++] = 1;
    assert(used == 2);
    assert(first ? log_[0] == 1 && log_[1] == 4 : log_[0] == 4 && log_[1] == 1);
    return 0;
}
