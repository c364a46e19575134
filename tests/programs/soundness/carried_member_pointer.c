//@ verdict: race-free
//@ about: the pointer to the private variable is a member of a struct, which is copied
#include <assert.h>
#include <string.h>
struct sink { int tag; int *to; };
int total;
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
        struct sink a = {1, &mine}, b, c;
        b = a;
        memcpy(&c, &b, sizeof c);
#pragma omp for
        for (int i = 0; i < 4; i++)
            *c.to += i;
#pragma omp atomic
        total += mine;
    }
    assert(total == 6);
}
