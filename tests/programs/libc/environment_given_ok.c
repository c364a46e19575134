//@ verdict: race-free
//@ options: --env MODE=fast --env EMPTY=
//@ about: environment variables that the check is given
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv;
    assert(strcmp(getenv("MODE"), "fast") == 0 && *getenv("EMPTY") == '\0');
    assert(getenv("MOD") == NULL && getenv("HOME") == NULL);
    assert(strcmp(envp[0], "MODE=fast") == 0 && envp[2] == NULL && environ == envp);
    assert(setenv("MODE", "slow", 1) == 0 && strcmp(getenv("MODE"), "slow") == 0);
    return 0;
}
