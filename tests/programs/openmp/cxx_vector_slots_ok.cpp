//@ verdict: race-free
//@ about: a vector of the right size, an element for each iteration
#include <cassert>
#include <vector>

int main()
{
    std::vector<double> out(250);
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < out.size(); i++)
        out[i] = 0.5 * static_cast<double>(i);
    for (std::size_t i = 0; i < out.size(); i++)
        assert(out[i] == 0.5 * static_cast<double>(i));
    return 0;
}
