#include <omp.h>
int part[64];
int main(void) {
    #pragma omp parallel
    {
        int me = omp_get_thread_num();
        #pragma omp critical //@ superfluous
        {
            part[me] = me + 1;
        }
    }
    return part[0] - 1;
}
