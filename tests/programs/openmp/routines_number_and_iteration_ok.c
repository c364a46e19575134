//@ verdict: race-free
//@ about: two iterations write only if the same thread executes both
#include <omp.h>
#define N 16
int x, y[N];

int main(void)
{
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int i = 0; i < N; i++) {
        int t = omp_get_thread_num();
        if (i == 5 && t == 1)
            x = 1;
        if (i == 7 && t == 1)
            x = 2;
        y[i] = t;
    }
    return 0;
}
