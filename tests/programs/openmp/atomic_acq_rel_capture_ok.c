//@ verdict: race-free
//@ about: atomic capture acq_rel: the last of the team to arrive adds up what all have written
#include <assert.h>
#include <omp.h>

int main(void)
{
    int part[3], arrived = 0, sum = 0;
#pragma omp parallel num_threads(3)
    {
        int n, me = omp_get_thread_num();
        part[me] = me + 10;
#pragma omp atomic capture acq_rel
        n = ++arrived;
        if (n == 3) {
            for (int t = 0; t < 3; t++)
                sum += part[t];
        }
    }
    assert(sum == 33);
    return 0;
}
