//@ verdict: race-free
//@ about: pthread_kill wakes the thread that waits for the signal, which is ordered after the sender
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int data;
static void *waiter(void *arg)
{
    int s;
    sigset_t set, mine;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, NULL, &mine);
    assert(sigismember(&mine, SIGUSR1)); /* inherited */
    assert(sigwait(&set, &s) == 0 && s == SIGUSR1);
    assert(data == 1);
    return arg;
}
int main(void)
{
    pthread_t t;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    assert(pthread_kill(t, 0) == 0);
    data = 1;
    assert(pthread_kill(t, SIGUSR1) == 0);
    pthread_join(t, NULL);
    return 0;
}
