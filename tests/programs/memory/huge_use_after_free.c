//@ verdict: defect
//@ defect: use-after-free 11
//@ about: a far page of a very large object after it was freed
#include <stdlib.h>

int main(void)
{
    size_t size = 20ull << 30;
    char *p = malloc(size);
    free(p);
    return p[size - 4096];
}
