//@ verdict: race-free
//@ about: nested parallel with one active level: the inner teams have one thread
#include <assert.h>
#include <omp.h>

int main(void)
{
    int sum[2] = {0};
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            for (int k = 0; k < 50; k++)
                sum[outer] += k;
        }
    }
    assert(sum[0] == 1225 && sum[1] == 1225);
    return 0;
}
