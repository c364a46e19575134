//@ verdict: race-free
//@ about: a very large array of zeros, copied and filled in part
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    size_t n = 3ull << 30;
    long *a = calloc(n, sizeof *a);
    assert(a && a[0] == 0 && a[n - 1] == 0 && a[n / 3] == 0);
    memset(&a[n / 2], 0xff, 200000);
    assert(a[n / 2 - 1] == 0 && a[n / 2] == -1 && a[n / 2 + 24999] == -1 && a[n / 2 + 25000] == 0);
    memcpy(&a[7], &a[n / 2 - 1], 300000);
    assert(a[7] == 0 && a[8] == -1 && a[8 + 24999] == -1 && a[8 + 25000] == 0);
    free(a);
    return 0;
}
