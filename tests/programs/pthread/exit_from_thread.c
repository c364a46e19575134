//@ verdict: race-free
//@ about: exit in a thread ends the process, whatever main is doing
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *watchdog(void *arg)
{
    (void)arg;
    exit(0);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, watchdog, NULL);
    pthread_join(t, NULL);
    abort();
}
