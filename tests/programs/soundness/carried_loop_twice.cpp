//@ verdict: race-free
//@ about: a worksharing loop inside a loop of the thread, both counted through a pointer
#include <cassert>
int total;
int main()
{
#pragma omp parallel num_threads(2)
    {
        int count = 0;
        int *p = &count;
        for (int r = 0; r < 2; r++) {
#pragma omp for
            for (int i = 0; i < 2; i++)
                *p += 1;
        }
#pragma omp atomic
        total += count;
    }
    assert(total == 4);
}
