//@ verdict: race
//@ races: at-least
//@ about: std::vector: results are pushed back by all threads without a lock
#include <vector>

int main()
{
    const int n = 100;
    std::vector<int> found;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        found.push_back(i * 3);
    return 0;
}
