//@ verdict: race-free
//@ about: an exception inside a critical section is caught there
#include <cassert>

int main()
{
    int low = 0, high = 0;
#pragma omp parallel for
    for (int i = 0; i < 60; i++) {
#pragma omp critical
        {
            try {
                if (i >= 20)
                    throw i;
                low++;
            } catch (int) {
                high++;
            }
        }
    }
    assert(low == 20 && high == 40);
    return 0;
}
