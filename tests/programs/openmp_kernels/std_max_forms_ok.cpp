//@ verdict: race-free
//@ about: std::max and std::min in reductions and under critical, of several types, nested, and fmax
#include <algorithm>
#include <cassert>
#include <cmath>

static double value(int i) { return (i * 37 % 101) / 4.0; }

int main()
{
    const int n = 200;
    double peak = 0, low = 1000, far = 0;
    unsigned widest = 0;
    long top = -1;
#pragma omp parallel for reduction(max : peak, widest) schedule(dynamic, 4)
    for (int i = 0; i < n; i++) {
        peak = std::max<double>(peak, value(i));
        widest = std::max(widest, std::max(unsigned(i % 7), unsigned(i % 5)));
        double here = std::fabs(value(i) - 10);
#pragma omp critical
        {
            low = std::min(low, value(i));
            far = fmax(far, here);
            top = std::max(top, long(i));
        }
    }
    assert(peak == 25.0 && low == 0.0 && far == 15.0 && widest == 6 && top == n - 1);
    return 0;
}
