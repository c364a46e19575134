//@ verdict: race
//@ race: balance[*] 21 22
//@ about: transfers between accounts: only the lock of the account that pays is taken
#include <omp.h>
#include <stdio.h>
#define ACCOUNTS 20
#define N 200

int main(void)
{
    long balance[ACCOUNTS];
    omp_lock_t lock[ACCOUNTS];
    for (int i = 0; i < ACCOUNTS; i++) {
        balance[i] = 1000;
        omp_init_lock(&lock[i]);
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int from = (i * 7) % ACCOUNTS, to = (i * 11 + 3) % ACCOUNTS;
        omp_set_lock(&lock[from]);
        balance[from] -= i % 10;
        balance[to] += i % 10;
        omp_unset_lock(&lock[from]);
    }
    printf("%ld\n", balance[0]);
    return 0;
}
