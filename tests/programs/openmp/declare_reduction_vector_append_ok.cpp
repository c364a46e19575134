//@ verdict: race-free
//@ about: declare reduction: vectors of results are put one behind the other; their buffers belong to the values
#include <cassert>
#include <vector>

#pragma omp declare reduction(append : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

int main()
{
    std::vector<int> found;
#pragma omp parallel num_threads(2) reduction(append : found)
    found.push_back(7);
    assert(found.size() == 2 && found[0] == 7 && found[1] == 7);
    return 0;
}
