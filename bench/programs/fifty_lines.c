/* A program of fifty lines, as people write them to try something out: how long does the answer take? */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 3
#define WORKERS 2

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[ACCOUNTS];

static void transfer(int from, int to, int amount) {
    struct account *first = &accounts[from < to ? from : to];
    struct account *second = &accounts[from < to ? to : from];
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    for (int i = 0; i < ACCOUNTS; i++) transfer((me + i) % ACCOUNTS, (me + i + 1) % ACCOUNTS, 10);
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 100;
    }
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, worker, &numbers[i])) exit(1);
    }
    for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].balance;
    printf("%d\n", sum);
    return sum != 100 * ACCOUNTS;
}
