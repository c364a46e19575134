//@ verdict: race-free
//@ about: a lambda that captures a private variable by reference counts iterations
#include <cassert>
int total;
int main()
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
        auto count = [&mine](int by) { mine += by; };
#pragma omp for
        for (int i = 0; i < 4; i++)
            count(i);
#pragma omp atomic
        total += mine;
    }
    assert(total == 6);
}
