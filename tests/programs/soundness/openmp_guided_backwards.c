//@ verdict: defect
//@ defect: assertion 14
//@ about: guided: a later chunk may come before an earlier one
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int before = 9;
#pragma omp for schedule(guided, 3)
        for (int i = 0; i < 6; i++) {
            // The chunk of iteration 0 behind that of iteration 5.
            assert(!(i == 0 && before == 5));
            before = i;
        }
    }
    return 0;
}
