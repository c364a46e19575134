//@ verdict: race
//@ race: go 26 15
//@ races: at-least
//@ may-race: payload 25 17
//@ about: a spin loop on a plain variable: the flag and the data race
#include <pthread.h>
#include <stdio.h>

static int go;
static int payload;

static void *waiter(void *arg)
{
    (void)arg;
    while (!go)
        ;
    printf("%d\n", payload);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, waiter, NULL);
    payload = 9;
    go = 1;
    pthread_join(a, NULL);
    return 0;
}
