/* The bank of bank.c, repaired: the audit takes each account's lock, and the final sum is checked after the joins.
 * `raceproof check bank_fixed.c` proves it free of races, deadlocks and failed assertions. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ACCOUNTS 2

struct account {
    pthread_mutex_t lock;
    long balance;
};

static struct account accounts[ACCOUNTS] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 200},
};

static void deposit(struct account *account, long amount)
{
    pthread_mutex_lock(&account->lock);
    account->balance += amount;
    pthread_mutex_unlock(&account->lock);
}

static void *teller(void *arg)
{
    long amount = *(long *)arg;
    for (int i = 0; i < ACCOUNTS; i++)
        deposit(&accounts[i], amount);
    return NULL;
}

static long audit(void)
{
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_lock(&accounts[i].lock);
        sum += accounts[i].balance;
        pthread_mutex_unlock(&accounts[i].lock);
    }
    return sum;
}

int main(void)
{
    pthread_t tellers[2];
    long amounts[2] = {10, 20};
    for (int i = 0; i < 2; i++)
        pthread_create(&tellers[i], NULL, teller, &amounts[i]);
    printf("in the bank: %ld\n", audit());
    for (int i = 0; i < 2; i++)
        pthread_join(tellers[i], NULL);
    assert(audit() == 360);
    return 0;
}
