//@ verdict: race
//@ about: once answered wrongly because spurious failure is not explored while the thread is alone
//@ race: x 14 26
//@ about: a weak compare-and-exchange may fail spuriously even while there is only one thread
#include <pthread.h>
#include <stdatomic.h>

atomic_int a;
int failed, x;

void *work(void *arg)
{
    if (failed)
        x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int expected = 0;
    if (!atomic_compare_exchange_weak(&a, &expected, 1))
        failed = 1;
    pthread_create(&t, 0, work, 0);

    x = 2;
    pthread_join(t, 0);
    return 0;
}
