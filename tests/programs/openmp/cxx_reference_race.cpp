//@ verdict: race
//@ race: b|rb 12 12
//@ about: a shared reference
#include <cstdio>

int main()
{
    int b = 0;
    int &rb = b;
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        rb += i;
    std::printf("%d\n", b);
    return 0;
}
