/* Moves money between two accounts with as many workers as are asked for: workers [ROUNDS]. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef ACCOUNTS
#define ACCOUNTS 2
#endif

static struct {
    pthread_mutex_t lock;
    int balance;
} accounts[ACCOUNTS];
static int rounds = 1;

static void *work(void *arg)
{
    int from = (int)(long)arg % ACCOUNTS, to = (from + 1) % ACCOUNTS;
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&accounts[from].lock);
        pthread_mutex_lock(&accounts[to].lock);
        accounts[from].balance--;
        accounts[to].balance++;
        pthread_mutex_unlock(&accounts[to].lock);
        pthread_mutex_unlock(&accounts[from].lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t workers[16];
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (argc > 1)
        rounds = atoi(argv[1]);
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&accounts[i].lock, NULL);
    for (long i = 0; i < count; i++)
        pthread_create(&workers[i], NULL, work, (void *)i);
    for (long i = 0; i < count; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
