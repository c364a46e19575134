//@ verdict: race
//@ race: a[*] 14 14
//@ about: one iteration uses the slot of the other thread
#include <omp.h>
int a[4], done[10];

int main(void)
{
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int i = 0; i < 10; i++) {
        int t = omp_get_thread_num();
        if (i == 3)
            t = 1 - t; /* one iteration uses the other thread's slot */
        a[t]++;
        done[i] = 1;
    }
    return 0;
}
