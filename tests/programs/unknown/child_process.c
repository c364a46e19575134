//@ verdict: unknown
//@ reason: fork
//@ reason-line: 11
//@ about: other processes are not modelled
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return 0;
}
