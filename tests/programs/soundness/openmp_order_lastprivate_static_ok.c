//@ verdict: race-free
//@ about: lastprivate without a schedule clause: a number and an array
#include <assert.h>

int main(void)
{
    int x = -1, y[2] = {0};
#pragma omp parallel num_threads(2)
    {
        int before = 0;
#pragma omp for lastprivate(x, y)
        for (int i = 0; i < 4; i++) {
            x = i * 2;
            y[0] = i;
            y[1] = x + 1;
            before |= 1 << i;
        }
    }
    assert(x == 6 && y[0] == 3 && y[1] == 7);
    return 0;
}
