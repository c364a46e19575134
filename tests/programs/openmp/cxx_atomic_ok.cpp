//@ verdict: race-free
//@ about: std::atomic inside a parallel region
#include <atomic>
#include <cassert>

int main()
{
    std::atomic<int> hits(0);
#pragma omp parallel for
    for (int i = 0; i < 120; i++)
        hits.fetch_add(2);
    assert(hits.load() == 240);
    return 0;
}
