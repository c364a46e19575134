//@ verdict: race-free
//@ undecided: that clocks do not go backwards is not known to the proof
//@ about: clocks do not go backwards: asserting so must not be reported as a defect
#include <cassert>
#include <chrono>
#include <omp.h>
#include <time.h>

int main()
{
    double begin = omp_get_wtime();
    auto started = std::chrono::steady_clock::now();
    timespec from;
    clock_gettime(CLOCK_MONOTONIC, &from);
    int work = 0;
#pragma omp parallel for reduction(+ : work)
    for (int i = 0; i < 10; i++)
        work += i;
    timespec to;
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert(omp_get_wtime() >= begin);
    assert(std::chrono::steady_clock::now() >= started);
    assert(to.tv_sec >= from.tv_sec);
    assert(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() >= 0);
    assert(work == 45);
    return 0;
}
