//@ verdict: race-free
//@ about: a thread polls for ever under a lock; main ends the process
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool alarm_raised;
static bool acknowledged;

static void *monitor(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&lock);
        if (alarm_raised)
            acknowledged = true;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, monitor, NULL);
    pthread_mutex_lock(&lock);
    alarm_raised = true;
    pthread_mutex_unlock(&lock);
    return 0;
}
