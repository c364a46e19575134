//@ verdict: race-free
//@ about: lastprivate: the value of the last iteration, also if its thread goes on with an earlier one
#include <assert.h>

int main(void)
{
    int x = -1, seen = 0;
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(dynamic) lastprivate(x)
        for (int i = 0; i < 4; i++) {
            x = i;
            if (before > i) {
#pragma omp atomic
                seen++;
            }
            before = i;
        }
    }
    assert(x == 3 && seen <= 3);
    return 0;
}
