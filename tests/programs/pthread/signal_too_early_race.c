//@ verdict: race
//@ race: data 13 26
//@ about: what is done after pthread_kill is not ordered before the end of the wait
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

static int data;
static void *waiter(void *arg)
{
    int s;
    sigwait(arg, &s);
    data = 2;
    return arg;
}
int main(void)
{
    pthread_t t;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, &set);

    pthread_kill(t, SIGUSR1);
    data = 1;
    pthread_join(t, NULL);
    return 0;
}
