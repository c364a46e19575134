//@ verdict: race
//@ race: counter 13 13
//@ about: two threads increment a global without a lock
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        counter++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", counter);
    return 0;
}
