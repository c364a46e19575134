//@ verdict: race
//@ race: data 21 31
//@ about: the racing store is on the side of a branch that one order of the threads does not take
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, data;

static void *reader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    int seen = first;
    pthread_mutex_unlock(&lock);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += i;
    if (seen == 0)
        /* only if the other one has not been there */
        data = sum;
    return NULL;
}

static void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    first = 1;
    pthread_mutex_unlock(&lock);
    data = 5;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
