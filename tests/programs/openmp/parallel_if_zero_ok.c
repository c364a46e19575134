//@ verdict: race-free
//@ about: parallel if: a false condition gives a team of one thread
#include <assert.h>

int main(int argc, char **argv)
{
    (void)argv;
    int total = 0;
#pragma omp parallel if (argc > 100)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            total += i;
    }
    assert(total == 4950);
    return 0;
}
