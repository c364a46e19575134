//@ verdict: race-free
//@ about: data written before the threads are created and only read by them
#include <assert.h>
#include <pthread.h>

static int table[8];
static int sums[2];

static void *sum_half(void *arg)
{
    int half = *(int *)arg;
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += table[i] * (half + 1);
    sums[half] = s;
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 8; i++)
        table[i] = i;
    pthread_t t[2];
    int half[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, sum_half, &half[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sums[0] == 28 && sums[1] == 56);
    return 0;
}
