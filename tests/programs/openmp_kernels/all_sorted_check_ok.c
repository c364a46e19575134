//@ verdict: race-free
//@ about: is an array sorted, and is a key in it: reductions by && and ||, and a flag that several set under critical
#include <assert.h>
#include <stdbool.h>
#define N 600

int main(void)
{
    int a[N], key = 77;
    for (int i = 0; i < N; i++)
        a[i] = i / 2;
    bool sorted = true, found = false;
    int seen = 0;
#pragma omp parallel for reduction(&& : sorted) reduction(|| : found)
    for (int i = 1; i < N; i++) {
        sorted = sorted && a[i - 1] <= a[i];
        found = found || a[i] == key;
        if (a[i] == key) {
#pragma omp critical
            seen = 1;
        }
    }
    assert(sorted && found && seen);
    return 0;
}
