//@ verdict: race
//@ race: acknowledged 20 32
//@ about: a race with a thread that runs for ever
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool alarm_raised;
static bool acknowledged;

static void *monitor(void *arg)
{
    (void)arg;
    while (1) {
        pthread_mutex_lock(&lock);
        bool raised = alarm_raised;
        pthread_mutex_unlock(&lock);
        if (raised)
            acknowledged = true;
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
    printf("%d\n", acknowledged);
    return 0;
}
