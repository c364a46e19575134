//@ verdict: defect
//@ defect: assertion 39
//@ about: every access is locked, but read and update are two critical sections: no race, yet an update is lost
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int get(void)
{
    pthread_mutex_lock(&lock);
    int b = balance;
    pthread_mutex_unlock(&lock);
    return b;
}

static void set(int b)
{
    pthread_mutex_lock(&lock);
    balance = b;
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *arg)
{
    set(get() + *(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int ten = 10;
    pthread_create(&a, NULL, deposit, &ten);
    pthread_create(&b, NULL, deposit, &ten);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 20);
    return 0;
}
