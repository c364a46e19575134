//@ verdict: race
//@ race: calls 10 10
//@ about: a static local variable is one object for all threads
#include <pthread.h>
#include <stddef.h>

static int next_number(void)
{
    static int calls;
    return ++calls;
}

static void *worker(void *arg)
{
    *(int *)arg = next_number();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x, y;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
