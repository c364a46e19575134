#include <omp.h>
int a[64], b[64];
int main(void) {
    #pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        a[me] = me;
        #pragma omp barrier //@ superfluous
        ;
        #pragma omp barrier //@ alternative race
        b[me] = a[(me + 1) % n];
    }
    return 0;
}
