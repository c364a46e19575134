//@ verdict: race-free
//@ about: for: exactly one of a thousand iterations touches the shared variable
#include <assert.h>
#define N 1000

int main(void)
{
    int found = -1;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        if (i * 7 % 1000 == 1)
            found = i;
    assert(found == 143);
    return 0;
}
