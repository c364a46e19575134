//@ verdict: race
//@ race: part[0] 16 17
//@ race: part[1] 16 17
//@ about: nothing separates reading the parts from writing the next ones
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int part[2], total[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    part[me] = me + 1;
    pthread_barrier_wait(&barrier);
    total[me] = part[0] + part[1];
    part[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
