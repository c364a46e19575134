//@ verdict: defect
//@ defect: double-free 14
//@ about: two threads free the same object, one after the other
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;

static void *cleanup(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    free(buffer);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    buffer = malloc(10);
    pthread_t a, b;
    pthread_create(&a, NULL, cleanup, NULL);
    pthread_create(&b, NULL, cleanup, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
