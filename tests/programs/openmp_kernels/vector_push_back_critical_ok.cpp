//@ verdict: race-free
//@ undecided: when the vector grows depends on how many came before, and the orders are too many for a search
//@ about: std::vector: results are pushed back under a critical section
#include <cassert>
#include <vector>

int main()
{
    const int n = 100;
    std::vector<int> found;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        found.push_back(i * 3);
    }
    assert(found.size() == 100);
    return 0;
}
