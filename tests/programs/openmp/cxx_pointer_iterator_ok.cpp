//@ verdict: race-free
//@ about: a worksharing loop over pointers with a step
#include <cassert>

int main()
{
    int values[300] = {0};
#pragma omp parallel for schedule(dynamic)
    for (int *p = values; p < values + 300; p += 3) {
        p[0] = 1;
        p[1] = 2;
        p[2] = 3;
    }
    for (int i = 0; i < 300; i++)
        assert(values[i] == i % 3 + 1);
    return 0;
}
