//@ verdict: race
//@ race: counter 19 19
//@ about: Peterson's algorithm with turn set before the own flag lets both in
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool wants[2];
static atomic_int turn;
static int counter;

static void *process(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    atomic_store(&turn, other);
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
    counter++;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, process, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
