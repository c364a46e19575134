//@ verdict: race
//@ race: a[*]|*p|p[*]|*a 12 21
//@ about: two threads at the same far element of a very large object
#include <pthread.h>
#include <stdlib.h>

static int *a;
static const size_t n = 4ull << 30;

static void *work(void *arg)
{
    a[n - 1] = 1;
    a[5] = 1;
    return arg;
}
int main(void)
{
    pthread_t t;
    a = malloc(n * sizeof *a);
    pthread_create(&t, 0, work, 0);
    a[n - 1] = 2;
    a[6] = 2;
    pthread_join(t, 0);
    free(a);
    return 0;
}
