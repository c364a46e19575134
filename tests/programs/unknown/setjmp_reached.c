//@ verdict: unknown
//@ reason: longjmp
//@ reason-line: 12
//@ about: setjmp and longjmp are not supported
#include <setjmp.h>
#include <stdio.h>

static jmp_buf out;

static void fail(void)
{
    longjmp(out, 1);
}

int main(void)
{
    if (setjmp(out) == 0)
        fail();
    puts("back");
    return 0;
}
