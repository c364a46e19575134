//@ verdict: race
//@ race: balance[*] 23 24
//@ about: transfers between accounts; only the paying account is locked
#include <omp.h>
#include <stdio.h>
#define ACCOUNTS 10
#define N 60

int main(void)
{
    int balance[ACCOUNTS];
    omp_lock_t lock[ACCOUNTS];
    for (int a = 0; a < ACCOUNTS; a++) {
        balance[a] = 100;
        omp_init_lock(&lock[a]);
    }
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int from = i % ACCOUNTS, to = (i * 3 + 1) % ACCOUNTS;
        if (from == to)
            continue;
        omp_set_lock(&lock[from]);
        balance[from] -= i;
        balance[to] += i;
        omp_unset_lock(&lock[from]);
    }
    for (int a = 0; a < ACCOUNTS; a++)
        omp_destroy_lock(&lock[a]);
    printf("%d\n", balance[0]);
    return 0;
}
