//@ verdict: defect
//@ defect: assertion 11
//@ about: an assertion of a thread fails
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    int n = *(int *)arg;
    assert(n % 2 == 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 7;
    pthread_create(&t, NULL, worker, &n);
    pthread_join(t, NULL);
    return 0;
}
