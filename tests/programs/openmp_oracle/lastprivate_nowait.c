//@ verdict: race
//@ race: x2 13 17
//@ about: without a barrier, the last value is written back while another thread reads
#include <assert.h>
#include <omp.h>

static int x2 = 0;

int main(void) {
    #pragma omp parallel num_threads(2)
    {
        int r1 = 0;
        #pragma omp for lastprivate(x2) nowait
        for (int i = 0; i < 1; i++) {
            x2 = i + 1;
        }
        r1 = x2;
        (void)r1;
    }
    return 0;
}
