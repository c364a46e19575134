//@ verdict: race
//@ races: at-least
//@ about: a worksharing loop over iterators that reads the next element
#include <cstdio>
#include <vector>

int main()
{
    std::vector<int> values(300, 1);
#pragma omp parallel for
    for (auto it = values.begin(); it < values.end() - 1; ++it)
        *it += *(it + 1);
    std::printf("%d\n", values[0]);
    return 0;
}
