//@ verdict: race-free
//@ about: std::mutex inside a parallel region
#include <cassert>
#include <mutex>

int main()
{
    std::mutex m;
    int total = 0;
#pragma omp parallel for
    for (int i = 0; i < 50; i++) {
        std::lock_guard<std::mutex> hold(m);
        total += i;
    }
    assert(total == 1225);
    return 0;
}
