//@ verdict: race
//@ race: parts[1]|*part 13 26
//@ about: an off-by-one in the join loop leaves the last thread unjoined
#include <pthread.h>
#include <stdio.h>

#define THREADS 2
static int parts[THREADS];

static void *worker(void *arg)
{
    int *part = arg;
    *part = 50;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, &parts[i]);
    for (int i = 0; i < THREADS - 1; i++)
        pthread_join(t[i], NULL);
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += parts[i];
    printf("%d\n", sum);
    return 0;
}
