//@ verdict: race-free
//@ about: sem_timedwait may time out; the data is read only if it did not
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t filled;
static int box;

static void *filler(void *arg)
{
    (void)arg;
    box = 10;
    sem_post(&filled);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec until;
    sem_init(&filled, 0, 0);
    pthread_create(&t, NULL, filler, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    if (sem_timedwait(&filled, &until) == 0)
        assert(box == 10);
    else
        assert(errno == ETIMEDOUT);
    pthread_join(t, NULL);
    return 0;
}
