//@ verdict: defect
//@ defect: deadlock 13
//@ about: nobody sends the signal that is waited for
#define _GNU_SOURCE
#include <signal.h>

int main(void)
{
    sigset_t set;
    int s;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigwait(&set, &s);
    return 0;
}
