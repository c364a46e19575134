//@ verdict: defect
//@ defect: deadlock 12
//@ about: a function that locks is called with the lock held
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int balance = 10;

static int get_balance(void)
{
    pthread_mutex_lock(&lock);
    int b = balance;
    pthread_mutex_unlock(&lock);
    return b;
}

static void *withdraw(void *arg)
{
    pthread_mutex_lock(&lock);
    if (get_balance() >= *(int *)arg)
        balance -= *(int *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&lock, &attr);
    pthread_t t;
    int amount = 5;
    pthread_create(&t, NULL, withdraw, &amount);
    pthread_join(t, NULL);
    return 0;
}
