//@ verdict: race-free
//@ about: a polling loop with a lock and sched_yield, usleep between the looks
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool done;
static int result;

static void *worker(void *arg)
{
    (void)arg;
    result = 6 * 7;
    pthread_mutex_lock(&lock);
    done = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static bool is_done(void)
{
    pthread_mutex_lock(&lock);
    bool d = done;
    pthread_mutex_unlock(&lock);
    return d;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!is_done()) {
        sched_yield();
        usleep(10);
    }
    assert(result == 42);
    pthread_join(t, NULL);
    return 0;
}
