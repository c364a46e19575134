//@ verdict: defect
//@ defect: null-pointer 25
//@ about: main may look before the other thread has set the pointer
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage = 4;
static int *current;

static void *publish(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    current = &storage;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    pthread_mutex_lock(&lock);
    int seen = *current;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen - 4;
}
