//@ verdict: race
//@ race: work_done 14 25
//@ about: after a timeout the thread goes on as if it held the lock
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work_done;

static void *worker(void *arg)
{
    struct timespec until = {0, 0};
    int r = pthread_mutex_timedlock(&lock, &until);
    work_done++;
    if (r == 0)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    work_done += 10;
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
