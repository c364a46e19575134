//@ verdict: defect
//@ defect: abort 14
//@ about: a pending signal does its default as soon as it is unblocked
#define _GNU_SOURCE
#include <signal.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR2);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 0;
}
