//@ verdict: race-free
//@ about: Peterson's mutual exclusion with sequentially consistent atomics
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool wants[2];
static atomic_int turn;
static int counter;

static void *process(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
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
    assert(counter == 2);
    return 0;
}
