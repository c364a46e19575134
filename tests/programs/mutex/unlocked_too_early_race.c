//@ verdict: race
//@ race: stock 18 15
//@ race: stock 18 18
//@ about: the update is made after the lock was released
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 5;

static void *buy(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    int left = stock;
    pthread_mutex_unlock(&lock);
    if (left > 0)
        stock = left - 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, buy, NULL);
    pthread_create(&b, NULL, buy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
