//@ verdict: race-free
//@ about: a hundred gigabytes can be allocated; only the pages that are used take memory
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    size_t size = 100ull << 30;
    char *p = malloc(size);
    assert(p != NULL);
    p[0] = 1;
    p[size / 2] = 2;
    p[size - 1] = 3;
    assert(p[0] + p[size / 2] + p[size - 1] == 6);
    free(p);
    return 0;
}
