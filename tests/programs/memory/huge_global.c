//@ verdict: race-free
//@ about: a global array of eight gigabytes
#include <assert.h>
static double big[1ull << 30];
int main(void)
{
    assert(big[(1ull << 30) - 1] == 0);
    big[(1ull << 30) - 1] = 2;
    assert(big[(1ull << 30) - 1] == 2 && big[0] == 0);
    return 0;
}
