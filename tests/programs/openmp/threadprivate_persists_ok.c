//@ verdict: race-free
//@ about: threadprivate: the copies keep their values between regions of the same size
#include <assert.h>
#include <omp.h>

static int kept[100];
#pragma omp threadprivate(kept)

int main(void)
{
    int bad = 0;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 100; i++)
        kept[i] = omp_get_thread_num() * 1000 + i;
#pragma omp parallel num_threads(2) reduction(+ : bad)
    for (int i = 0; i < 100; i++)
        bad += kept[i] != omp_get_thread_num() * 1000 + i;
    assert(bad == 0);
    return 0;
}
