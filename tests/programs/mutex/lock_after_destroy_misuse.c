//@ verdict: defect
//@ defect: lock-misuse 13
//@ about: a mutex is used after it was destroyed
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int n;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_destroy(&lock);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
