//@ verdict: race
//@ race: most 18 18
//@ races: at-least
//@ about: std::max into a shared variable
#include <algorithm>
#include <cstdio>
#include <vector>

int main()
{
    const int n = 500;
    std::vector<int> v(n);
    for (int i = 0; i < n; i++)
        v[i] = (i * 37) % 501;
    int most = -1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        most = std::max(most, v[i]);
    std::printf("%d\n", most);
    return 0;
}
