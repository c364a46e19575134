//@ verdict: race
//@ race: handler 23 14
//@ about: a callback pointer is replaced while another thread calls through it
#include <pthread.h>
#include <stddef.h>

static int plus_one(int x) { return x + 1; }
static int plus_two(int x) { return x + 2; }

static int (*handler)(int) = plus_one;

static void *worker(void *arg)
{
    *(int *)arg = handler(1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int r;
    pthread_create(&t, NULL, worker, &r);
    handler = plus_two;
    pthread_join(t, NULL);
    return 0;
}
