//@ verdict: race
//@ race: failures 20 20
//@ about: exceptions caught inside the iteration, counted in a shared variable
#include <cstdio>

static void checked(int v)
{
    if (v % 10 == 3)
        throw v;
}

int main()
{
    int failures = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        try {
            checked(i);
        } catch (int) {
            failures++;
        }
    }
    std::printf("%d\n", failures);
    return 0;
}
