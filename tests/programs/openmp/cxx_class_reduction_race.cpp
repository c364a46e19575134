//@ verdict: race
//@ race: sum.x 18 18
//@ race: sum.y 18 18
//@ about: a class with operator+=, added to by all threads without a declared reduction
#include <cstdio>

struct Vec {
    int x = 0, y = 0;
};

int main()
{
    Vec sum;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++) {
        // One line, two members.
        // Both race.
        sum.x += i, sum.y += 1;
    }
    std::printf("%d %d\n", sum.x, sum.y);
    return 0;
}
