//@ verdict: race-free
//@ about: critical hint: a hint changes no meaning
#include <assert.h>
#include <omp.h>

int main(void)
{
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
#pragma omp critical(counted) hint(omp_sync_hint_contended)
        n += 3;
    }
    assert(n == 300);
    return 0;
}
