//@ verdict: race-free
//@ about: std::max and std::min, which take references, on reduction variables
#include <algorithm>
#include <cstdio>
#include <vector>

int main()
{
    const int n = 500;
    std::vector<int> v(n);
    for (int i = 0; i < n; i++)
        v[i] = (i * 37) % 501;
    int most = -1, least = 1000;
#pragma omp parallel for reduction(max : most) reduction(min : least)
    for (int i = 0; i < n; i++) {
        most = std::max(most, v[i]);
        least = std::min(least, v[i]);
    }
    std::printf("%d %d\n", most, least);
    return 0;
}
