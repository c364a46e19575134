//@ verdict: race-free
//@ about: assumption of raceproof: pthread_create stores the handle before the child starts
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t handle;

static void *worker(void *arg)
{
    (void)arg;
    assert(pthread_equal(handle, pthread_self()));
    return NULL;
}

int main(void)
{
    pthread_create(&handle, NULL, worker, NULL);
    pthread_join(handle, NULL);
    return 0;
}
