//@ verdict: race
//@ race: balance 14 24
//@ about: the writer takes the lock, the reader does not
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *arg)
{
    int amount = *(int *)arg;
    pthread_mutex_lock(&lock);
    balance -= amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int amount = 30;
    pthread_create(&t, NULL, withdraw, &amount);
    int shown = balance;
    pthread_join(t, NULL);
    printf("%d\n", shown);
    return 0;
}
