//@ verdict: race-free
//@ about: a home-made barrier that counts arrivals atomically
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int arrived;
static int part[2];

static void *worker(void *arg)
{
    int me = *(int *)arg;
    part[me] = me + 1;
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < 2)
        ;
    assert(part[0] + part[1] == 3);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
