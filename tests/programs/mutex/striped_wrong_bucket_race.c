//@ verdict: race
//@ race: table[1].count 18 18
//@ about: the lock is chosen by another hash than the data
#include <pthread.h>
#include <stddef.h>

static struct {
    pthread_mutex_t lock;
    int count;
} table[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *add(void *arg)
{
    unsigned key = *(unsigned *)arg;
    unsigned which_lock = key % 2;
    unsigned bucket = key / 2 % 2;
    pthread_mutex_lock(&table[which_lock].lock);
    table[bucket].count++;
    pthread_mutex_unlock(&table[which_lock].lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    unsigned two = 2, three = 3;
    pthread_create(&a, NULL, add, &two);
    pthread_create(&b, NULL, add, &three);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
