//@ verdict: race
//@ race: accounts[1].balance 21 22
//@ race: accounts[0].balance 21 22
//@ about: a transfer locks only the source account; the opposite transfer locks only the other one
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *arg)
{
    (void)arg;
    transfer(&accounts[0], &accounts[1], 10);
    return NULL;
}

static void *back(void *arg)
{
    (void)arg;
    transfer(&accounts[1], &accounts[0], 20);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, forth, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
