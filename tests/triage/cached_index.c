// Accounts have a lock each, but the index of the account last used is cached without one: the lock taken may be that
// of another account than the one that is changed.
#include <pthread.h>
#include "pace.h"

struct account { pthread_mutex_t lock; int number, balance, movements; };
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 7, 100, 0}, {PTHREAD_MUTEX_INITIALIZER, 9, 100, 0}};
static int last_used;

static void *worker(void *argument)
{
    int self = *(int *)argument;
    for (int i = 0; i < 3; i++) {
        last_used = self; // planted
        pthread_mutex_lock(&accounts[self].lock);
        pause_for(1 + self);
        struct account *a = &accounts[last_used]; // planted
        a->balance = a->balance - 10;
        a->movements = a->movements + 1;
        if (a->balance < 0)
            a->number = -1;
        pthread_mutex_unlock(&accounts[self].lock);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
