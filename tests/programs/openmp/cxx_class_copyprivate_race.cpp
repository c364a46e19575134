//@ verdict: race
//@ race: count 20 20
//@ about: a class object in copyprivate holds a pointer: afterwards all threads write what it points to
#include <cstdio>

struct Setting {
    int *counter = nullptr;
};

static int count;

int main()
{
#pragma omp parallel num_threads(2)
    {
        Setting mine;
#pragma omp single copyprivate(mine)
        mine.counter = &count;
        // Everybody has the same pointer now.
        ++*mine.counter;
    }
    std::printf("%d\n", count);
    return 0;
}
