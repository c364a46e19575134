/* A bank with two tellers. Every deposit takes the account's lock, but the audit at the end of the day does not:
 * `raceproof check bank.c` reports the race between the deposit and the audit. bank_fixed.c is the repaired program. */
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
    for (int i = 0; i < ACCOUNTS; i++)
        sum += accounts[i].balance; /* a teller may be writing here */
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
    return 0;
}
