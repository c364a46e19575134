//@ verdict: race-free
//@ about: transfers between accounts with two locks in a fixed order
#include <assert.h>
#include <omp.h>
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
        int first = from < to ? from : to, second = from < to ? to : from;
        omp_set_lock(&lock[first]);
        omp_set_lock(&lock[second]);
        balance[from] -= i;
        balance[to] += i;
        omp_unset_lock(&lock[second]);
        omp_unset_lock(&lock[first]);
    }
    int sum = 0;
    for (int a = 0; a < ACCOUNTS; a++) {
        sum += balance[a];
        omp_destroy_lock(&lock[a]);
    }
    assert(sum == 100 * ACCOUNTS);
    return 0;
}
