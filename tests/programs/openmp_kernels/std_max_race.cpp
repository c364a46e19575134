//@ verdict: race
//@ races: at-least
//@ race: peak 15 15
//@ about: std::max on a shared variable that is not reduced
#include <algorithm>
#include <vector>

int main()
{
    const int n = 100;
    std::vector<double> v(n, 1.5);
    double peak = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        peak = std::max(peak, v[i]);
    return peak > 2;
}
