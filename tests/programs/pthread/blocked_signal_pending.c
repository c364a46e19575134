//@ verdict: race-free
//@ about: a blocked signal that is raised stays pending until somebody takes it
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

int main(void)
{
    sigset_t set, old, now;
    int s;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGUSR1));
    assert(raise(SIGUSR1) == 0);
    assert(sigpending(&now) == 0 && sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 0);
    assert(sigwait(&set, &s) == 0 && s == SIGUSR1);
    assert(sigpending(&now) == 0 && sigismember(&now, SIGUSR1) == 0);
    struct timespec soon = {0, 1}, bad = {0, 1000000000};
    assert(sigtimedwait(&set, NULL, &soon) == -1 && errno == EAGAIN);
    assert(sigtimedwait(&set, NULL, &bad) == -1 && errno == EINVAL);
    assert(pthread_sigmask(99, &set, NULL) == EINVAL);
    assert(pthread_sigmask(99, NULL, &now) == 0 && sigismember(&now, SIGUSR1) == 1);
    assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
    return 0;
}
