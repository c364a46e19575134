//@ verdict: defect
//@ defect: out-of-bounds 10
//@ about: one byte behind a very large object
#include <stdlib.h>

int main(void)
{
    size_t size = 5ull << 30;
    char *p = malloc(size);
    p[size] = 1;
    free(p);
    return 0;
}
