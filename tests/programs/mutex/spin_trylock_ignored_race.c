//@ verdict: race
//@ race: total 25 13
//@ about: a failed pthread_spin_trylock gives no protection
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int total;

static void *worker(void *arg)
{
    pthread_spin_lock(&lock);
    total += *(int *)arg;
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t a;
    int x = 20;
    pthread_create(&a, NULL, worker, &x);
    int r = pthread_spin_trylock(&lock);
    total++;
    if (r == 0)
        pthread_spin_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
