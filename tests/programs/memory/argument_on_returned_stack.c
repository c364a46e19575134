//@ verdict: defect
//@ defect: use-after-free 11
//@ about: the argument of a thread lives in a function that may have returned
#include <pthread.h>
#include <stdio.h>

static pthread_t handle;

static void *worker(void *arg)
{
    printf("%d\n", *(int *)arg);
    return NULL;
}

static void start(void)
{
    int value = 3;
    pthread_create(&handle, NULL, worker, &value);
}

int main(void)
{
    start();
    pthread_join(handle, NULL);
    return 0;
}
