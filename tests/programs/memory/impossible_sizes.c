//@ verdict: race-free
//@ about: what no implementation could allocate gives a null pointer and ENOMEM
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    volatile size_t huge = SIZE_MAX / 2, half = SIZE_MAX / 4;
    errno = 0;
    assert(malloc(huge + 1) == NULL && errno == ENOMEM);
    assert(malloc(huge) == NULL);
    errno = 0;
    assert(calloc(half, 8) == NULL && errno == ENOMEM);
    void *p = malloc(4), *q = &p;
    assert(realloc(p, huge) == NULL);
    assert(posix_memalign(&q, 64, huge) == ENOMEM && q == &p);
    free(p);
    return 0;
}
