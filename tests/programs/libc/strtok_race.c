//@ verdict: race
//@ races: at-least
//@ about: strtok keeps its place in one hidden object for all threads (C11 7.24.5.8, POSIX); strtok_r does not
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char left[] = "a b c", right[] = "d e f";

static void *split(void *arg)
{
    for (char *token = strtok(arg, " "); token; token = strtok(NULL, " "))
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, split, left);
    pthread_create(&b, NULL, split, right);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
