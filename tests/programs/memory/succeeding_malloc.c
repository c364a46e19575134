//@ verdict: race-free
//@ about: malloc does not fail unless --allocation may-fail says so
#include <pthread.h>
#include <stdlib.h>

static int fallback;
static void *work(void *arg)
{
    int *p = malloc(sizeof *p);
    if (p) { *p = 1; free(p); }
    else {
        fallback++;
    }
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
