//@ verdict: race-free
//@ about: lambdas with captures by value and by reference, and a region inside a lambda
#include <cassert>

int main()
{
    int out[150];
    int factor = 3;
    auto scale = [factor](int v) { return factor * v; };
    auto run = [&out, &scale](int from, int to) {
#pragma omp parallel for
        for (int i = from; i < to; i++)
            out[i] = scale(i);
    };
    run(0, 100);
    run(100, 150);
    for (int i = 0; i < 150; i++)
        assert(out[i] == 3 * i);
    return 0;
}
