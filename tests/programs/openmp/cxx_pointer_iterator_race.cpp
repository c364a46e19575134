//@ verdict: race
//@ race: values[*]|p[*]|*p 11 11
//@ about: a worksharing loop over pointers that reads the element before
#include <cstdio>

int main()
{
    int values[300] = {0};
#pragma omp parallel for schedule(guided)
    for (int *p = values + 1; p < values + 300; p++)
        p[0] = p[-1] + 1;
    std::printf("%d\n", values[299]);
    return 0;
}
