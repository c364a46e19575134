//@ verdict: race
//@ race: longest 17 17
//@ race: longest 17 16
//@ about: a range-based worksharing loop that updates a shared maximum
#include <cstdio>
#include <vector>

int main()
{
    std::vector<int> values;
    for (int i = 0; i < 200; i++)
        values.push_back(i);
    int longest = -1;
#pragma omp parallel for
    for (int v : values) {
        if (v > longest)
            longest = v;
    }
    std::printf("%d\n", longest);
    return 0;
}
