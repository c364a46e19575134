//@ verdict: defect
//@ defect: assertion 16
//@ about: collapse(2) with dynamic: the iterations of the nest come in any order
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for collapse(2) schedule(dynamic)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                int at = i * 2 + j;
                // Iterations of the nest are one loop, and come in any order.
                assert(before != at + 1);
                before = at;
            }
    }
    return 0;
}
