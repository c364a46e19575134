//@ verdict: defect
//@ defect: misuse 10
//@ about: memcpy between overlapping ranges
#include <string.h>

static char text[] = "abcdefgh";

static void shift(size_t n)
{
    memcpy(text + 1, text, n);
}

int main(void)
{
    shift(4);
    return 0;
}
