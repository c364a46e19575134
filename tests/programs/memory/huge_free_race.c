//@ verdict: race
//@ races: at-least
//@ race: a[*]|*p|p[*]|*a|* 11 20
//@ about: a thread reads a page that nobody else has touched while the object is freed
#include <pthread.h>
#include <stdlib.h>

static int *a;
static void *work(void *arg)
{
    return a[1ull << 30] == 0 ? arg : 0;
}
int main(void)
{
    pthread_t t;
    a = calloc(2ull << 30, sizeof *a);
    pthread_create(&t, 0, work, 0);


    free(a);
    pthread_join(t, 0);
    return 0;
}
