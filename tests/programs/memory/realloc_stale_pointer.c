//@ verdict: defect
//@ defect: use-after-free 13
//@ about: the pointer from before realloc is used after it
#include <stdlib.h>

int main(void)
{
    int *a = malloc(2 * sizeof *a);
    int *first = &a[0];
    a[0] = 1;
    a[1] = 2;
    a = realloc(a, 1000 * sizeof *a);
    *first = 9;
    free(a);
    return 0;
}
