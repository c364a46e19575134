//@ verdict: race-free
//@ about: for schedule(nonmonotonic: guided): independent iterations
#include <assert.h>

int main(void)
{
    int sq[150];
#pragma omp parallel for schedule(nonmonotonic : guided)
    for (int i = 0; i < 150; i++)
        sq[i] = i * i;
    for (int i = 0; i < 150; i++)
        assert(sq[i] == i * i);
    return 0;
}
