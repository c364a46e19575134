//@ verdict: race-free
//@ about: a timed lock may time out; the data is touched only if it did not
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work_done;

static void *worker(void *arg)
{
    int *skipped = arg;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    int r = pthread_mutex_timedlock(&lock, &until);
    if (r == ETIMEDOUT) {
        *skipped = 1;
        return NULL;
    }
    assert(r == 0);
    work_done++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int skipped[2] = {0, 0};
    pthread_create(&a, NULL, worker, &skipped[0]);
    pthread_create(&b, NULL, worker, &skipped[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(work_done + skipped[0] + skipped[1] == 2);
    return 0;
}
