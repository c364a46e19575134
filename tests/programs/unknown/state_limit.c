//@ verdict: unknown
//@ reason: state
//@ options: --max-states 50
//@ about: an unbounded counter under a lock has no end of states; the limit stops the search
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long ticks;
static int stop;

static void *clock_(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        ticks++;
        int end = stop;
        pthread_mutex_unlock(&lock);
        if (end)
            return NULL;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clock_, NULL);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
