//@ verdict: race-free
//@ about: the first thread is joined before the second is created, so their accesses are ordered
#include <assert.h>
#include <pthread.h>

static int total;

static void *add(void *arg)
{
    total += *(int *)arg;
    return NULL;
}

int main(void)
{
    int values[3] = {5, 7, 30};
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, add, &values[i]);
        pthread_join(t, NULL);
    }
    assert(total == 42);
    return 0;
}
