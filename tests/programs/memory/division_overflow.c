//@ verdict: defect
//@ defect: division-by-zero 10
//@ about: INT_MIN / -1 overflows, which traps like a division by zero
#include <limits.h>

static int quotient(int a, int b)
{
    if (b == 0)
        return 0;
    return a / b;
}

int main(void)
{
    int q = quotient(INT_MAX, -1);
    return quotient(q - 1, -1);
}
