//@ verdict: race-free
//@ undecided: neither the proof from one run nor the search decides it yet
//@ about: a vector for each thread, appended to the result in a critical section
#include <cassert>
#include <vector>

int main()
{
    std::vector<int> found;
#pragma omp parallel
    {
        std::vector<int> mine;
#pragma omp for nowait
        for (int i = 0; i < 100; i++)
            if (i % 3 == 0)
                mine.push_back(i);
#pragma omp critical
        found.insert(found.end(), mine.begin(), mine.end());
    }
    assert(found.size() == 34);
    return 0;
}
