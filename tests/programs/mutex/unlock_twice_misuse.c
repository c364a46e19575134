//@ verdict: defect
//@ defect: lock-misuse 17
//@ about: a mutex is unlocked twice on an early-return path
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;

static int take(void)
{
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_mutex_unlock(&lock);
    else
        items--;
    pthread_mutex_unlock(&lock);
    return items;
}

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    items++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    take();
    take();
    return 0;
}
