//@ verdict: defect
//@ defect: null-pointer 9
//@ options: --allocation may-fail
//@ about: with --allocation may-fail a result of malloc that is not checked is a null pointer
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
