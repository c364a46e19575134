//@ verdict: race-free
//@ about: for schedule(auto): one iteration for each cell
#include <assert.h>

int main(void)
{
    int cell[100] = {0};
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 5; k++)
            cell[i] += 1;
    for (int i = 0; i < 100; i++)
        assert(cell[i] == 5);
    return 0;
}
