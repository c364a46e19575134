//@ verdict: defect
//@ defect: deadlock 13
//@ about: an early return leaves the mutex locked
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static void *buy(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (stock == 0)
        return (void *)1;
    stock--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, buy, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
