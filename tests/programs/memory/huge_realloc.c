//@ verdict: race-free
//@ about: realloc from large to larger and back keeps what was there
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    size_t small = 1ull << 30, large = 9ull << 30;
    char *p = malloc(small);
    p[0] = 1;
    p[small - 1] = 2;
    p = realloc(p, large);
    assert(p[0] == 1 && p[small - 1] == 2);
    p[large - 1] = 3;
    p = realloc(p, small);
    assert(p[0] == 1 && p[small - 1] == 2);
    free(p);
    return 0;
}
