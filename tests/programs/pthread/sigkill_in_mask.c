//@ verdict: race-free
//@ about: SIGKILL and SIGSTOP in a mask are no error and have no effect
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>

int main(void)
{
    sigset_t set, now;
    sigemptyset(&set);
    assert(sigaddset(&set, SIGKILL) == 0 && sigaddset(&set, SIGSTOP) == 0 && sigaddset(&set, SIGUSR1) == 0);
    assert(pthread_sigmask(SIG_SETMASK, &set, NULL) == 0);
    assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    assert(sigismember(&now, SIGUSR1) && !sigismember(&now, SIGKILL) && !sigismember(&now, SIGSTOP));
    assert(sigaddset(&set, 0) == -1 && sigaddset(&set, 65) == -1);
    raise(SIGKILL);
    assert(0);
    return 0;
}
