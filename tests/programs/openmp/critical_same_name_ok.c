//@ verdict: race-free
//@ about: critical: the same name in two functions
#include <assert.h>

static int level;

static void up(void)
{
#pragma omp critical(level_lock)
    level += 2;
}

static void down(void)
{
#pragma omp critical(level_lock)
    level -= 1;
}

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < 100; i++)
            up();
#pragma omp section
        for (int i = 0; i < 100; i++)
            down();
    }
    assert(level == 100);
    return 0;
}
