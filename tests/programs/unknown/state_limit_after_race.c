//@ verdict: race
//@ race: stop 28 19
//@ options: --max-states 50
//@ about: a race found before the limit is reported as a race
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
        pthread_mutex_unlock(&lock);
        if (stop)
            return NULL;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clock_, NULL);
    stop = 1;
    pthread_join(t, NULL);
    return 0;
}
