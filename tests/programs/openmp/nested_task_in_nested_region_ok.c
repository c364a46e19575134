//@ verdict: race-free
//@ about: nested regions with tasks: the inner region's end completes its tasks
#include <assert.h>
#include <omp.h>

int main(void)
{
    int cell[2][10], sum = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int me = omp_get_thread_num();
#pragma omp parallel num_threads(2)
#pragma omp single
        for (int k = 0; k < 10; k++) {
#pragma omp task
            cell[me][k] = k;
        }
        for (int k = 0; k < 10; k++)
            sum += cell[me][k];
    }
    assert(sum == 90);
    return 0;
}
