//@ verdict: race
//@ race: log_lines 13 23
//@ about: a detached thread is never joined, so nothing orders its write before main's read
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int log_lines;

static void *logger(void *arg)
{
    (void)arg;
    log_lines = 3;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, logger, NULL);
    pthread_detach(t);
    sched_yield();
    printf("%d\n", log_lines);
    return 0;
}
