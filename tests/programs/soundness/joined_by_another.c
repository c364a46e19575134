//@ verdict: race-free
//@ about: a thread is joined by one that did not create it; who joins that one is ordered after both
#include <assert.h>
#include <pthread.h>

pthread_t a, b;
int x;

void *work(void *arg)
{
    x = 1;
    return arg;
}

void *join(void *arg)
{
    pthread_join(a, 0);
    x++;
    return arg;
}

int main(void)
{
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, join, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
