//@ verdict: defect
//@ defect: misuse 17
//@ about: joining a detached thread is undefined
#include <pthread.h>
#include <stddef.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    pthread_join(t, NULL);
    return 0;
}
