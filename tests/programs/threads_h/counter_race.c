//@ verdict: race
//@ race: total 10 10
//@ about: C11 threads without a lock
#include <threads.h>

static int total;

static int worker(void *arg)
{
    total += *(int *)arg;
    return 0;
}

int main(void)
{
    thrd_t a, b;
    int x = 3, y = 4;
    thrd_create(&a, worker, &x);
    thrd_create(&b, worker, &y);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
