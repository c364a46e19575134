//@ verdict: race-free
//@ about: a reference to a private variable is what every iteration writes through
#include <cassert>
int total;
int main()
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
        int &r = mine;
#pragma omp for
        for (int i = 0; i < 4; i++)
            r += 1;
#pragma omp critical
        total += r;
    }
    assert(total == 4);
}
