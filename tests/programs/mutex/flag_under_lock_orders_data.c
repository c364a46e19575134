//@ verdict: race-free
//@ about: the data is written before and read after a flag that is checked under a lock
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int data;

static void *producer(void *arg)
{
    (void)arg;
    data = 42;
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    bool ok = ready;
    pthread_mutex_unlock(&lock);
    if (ok) {
        assert(data == 42);
        data = 43;
    }
    pthread_join(t, NULL);
    assert(data == 42 || data == 43);
    return 0;
}
