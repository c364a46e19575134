//@ verdict: race
//@ races: at-least
//@ about: push_back on one vector from all iterations
#include <cstdio>
#include <vector>

int main()
{
    std::vector<int> found;
    found.reserve(200);
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        if (i % 3 == 0)
            found.push_back(i);
    std::printf("%zu\n", found.size());
    return 0;
}
