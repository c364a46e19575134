//@ verdict: race
//@ race: to 12 12
//@ about: every lane copies bytes to the same local variable through a pointer
#include <string.h>
int from[8];
int main(void)
{
    int to = 0;
    void *p = &to;
#pragma omp simd
    for (int i = 0; i < 8; i++)
        memcpy(p, &from[i], sizeof to);
    return to;
}
