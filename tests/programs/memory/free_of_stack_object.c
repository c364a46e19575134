//@ verdict: defect
//@ defect: invalid-free 8
//@ about: free of something that malloc did not return
#include <stdlib.h>

static void release(int *p)
{
    free(p);
}

int main(void)
{
    int on_stack = 3;
    release(&on_stack);
    return 0;
}
