//@ verdict: race-free
//@ about: transfers between accounts, each with a lock; the locks of a pair are taken in order
#include <assert.h>
#include <omp.h>
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
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++) {
        int from = (i * 7) % ACCOUNTS, to = (i * 11 + 3) % ACCOUNTS;
        if (from == to)
            continue;
        int low = from < to ? from : to, high = from < to ? to : from;
        omp_set_lock(&lock[low]);
        omp_set_lock(&lock[high]);
        balance[from] -= i % 10;
        balance[to] += i % 10;
        omp_unset_lock(&lock[high]);
        omp_unset_lock(&lock[low]);
    }
    long total = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        total += balance[i];
        omp_destroy_lock(&lock[i]);
    }
    assert(total == 1000L * ACCOUNTS);
    return 0;
}
