//@ verdict: race-free
//@ about: lastprivate of a variable that is called conditional is no modifier
#include <assert.h>
int main(void)
{
    int conditional = 0;
#pragma omp parallel for lastprivate(conditional)
    for (int i = 0; i < 4; i++)
        conditional = i;
    assert(conditional == 3);
    return 0;
}
