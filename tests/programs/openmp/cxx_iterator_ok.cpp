//@ verdict: race-free
//@ about: a worksharing loop over random access iterators of a vector
#include <cassert>
#include <vector>

int main()
{
    std::vector<int> values(300);
    for (int i = 0; i < 300; i++)
        values[i] = i;
#pragma omp parallel for
    for (std::vector<int>::iterator it = values.begin(); it < values.end(); ++it)
        *it *= 2;
    for (int i = 0; i < 300; i++)
        assert(values[i] == 2 * i);
    return 0;
}
