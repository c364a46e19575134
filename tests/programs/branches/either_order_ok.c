//@ verdict: race-free
//@ about: either side of the branch stores under the lock; what is stored does not matter
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, low, high;

static void *worker(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&lock);
        if (first < me)
            low++;
        else
            high += 2;
        first = me;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int id[4];
    for (int i = 0; i < 4; i++) {
        id[i] = i;
        pthread_create(&t[i], NULL, worker, &id[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
