//@ verdict: race
//@ race: total 10 10
//@ about: a lambda that captured a variable by reference
#include <cstdio>

int main()
{
    int total = 0;
    auto add = [&total](int v) {
        total += v;
    };
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        add(i);
    std::printf("%d\n", total);
    return 0;
}
