//@ verdict: race-free
//@ about: a range-based worksharing loop
#include <array>
#include <cassert>

int main()
{
    std::array<int, 200> values{};
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int &v : values)
            v = 4;
#pragma omp for reduction(+ : sum)
        for (int v : values)
            sum += v;
    }
    assert(sum == 800);
    return 0;
}
