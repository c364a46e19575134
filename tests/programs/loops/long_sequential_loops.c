//@ verdict: race-free
//@ about: long loops without synchronisation are one step each, not many
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static uint64_t sums[2];

static void *sum(void *arg)
{
    int me = *(int *)arg;
    uint64_t s = 0;
    for (uint32_t i = 1; i <= 20000; i++)
        s += i * (uint32_t)(me + 1);
    sums[me] = s;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, sum, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sums[0] == 200010000u && sums[1] == 400020000u);
    return 0;
}
