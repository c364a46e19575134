//@ verdict: defect
//@ defect: deadlock 24
//@ about: main joins a thread while holding the lock that the thread needs
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;

static void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    jobs--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
