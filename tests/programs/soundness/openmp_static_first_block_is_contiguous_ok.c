//@ verdict: race-free
//@ about: static: the first block is that of thread 0, and each has two iterations or three
#include <assert.h>
#include <omp.h>

int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
    {
        int count = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < 5; i++) {
            if (i == 0)
                x = omp_get_thread_num() + 1;
            count++;
        }
        assert(count == 2 || count == 3);
    }
    assert(x == 1);
    return 0;
}
