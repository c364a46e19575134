//@ verdict: race-free
//@ about: nested parallel: a slot for each thread of each inner team
#include <assert.h>
#include <omp.h>

int main(void)
{
    int sum[2][2] = {{0}};
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            int inner = omp_get_thread_num();
            for (int k = 0; k < 50; k++)
                sum[outer][inner] += k;
        }
    }
    for (int t = 0; t < 4; t++)
        assert(sum[t / 2][t % 2] == 1225);
    return 0;
}
