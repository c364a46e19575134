//@ verdict: race
//@ race: local[1]|*p 10 22
//@ about: an element of a variable length array is shared through a pointer
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    int *p = arg;
    *p = 1;
    return NULL;
}

static int run(int n)
{
    int local[n];
    for (int i = 0; i < n; i++)
        local[i] = 0;
    pthread_t t;
    pthread_create(&t, NULL, worker, &local[1]);
    local[0] = 5;
    local[1] = 5;
    pthread_join(t, NULL);
    return local[1];
}

int main(void)
{
    int r = run(3);
    return r == 1 || r == 5 ? 0 : 1;
}
