//@ verdict: race
//@ race: result 13 22
//@ about: sleeping is no synchronisation
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int result;

static void *worker(void *arg)
{
    (void)arg;
    result = 42;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    sleep(1);
    printf("%d\n", result);
    pthread_join(t, NULL);
    return 0;
}
