//@ verdict: defect
//@ defect: assertion 18
//@ about: dynamic: which of its iterations a thread executes first is open
#include <assert.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int first = -1;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 3; i++)
            if (first < 0)
                first = i;
        if (first == 1)
            first = 0;
        // A thread that got iterations 1 and 2 may have begun with 2; one that got all of them with any.
        assert(first != 2);
    }
    return 0;
}
