//@ verdict: defect
//@ defect: write-to-constant 8
//@ about: a string literal is modified
#include <ctype.h>

static void capitalise(char *s)
{
    s[0] = (char)toupper((unsigned char)s[0]);
}

int main(void)
{
    capitalise("hello");
    return 0;
}
