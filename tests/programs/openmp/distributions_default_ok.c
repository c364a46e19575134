//@ verdict: race-free
//@ options: --distributions default
//@ about: --distributions default: neighbours that blocks of nearly equal size do not part; sections, single and dynamic as a runtime gives them out
#include <assert.h>
#define N 100

int main(void)
{
    int carry = 0, got = 0, pair = 0, sum = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (i == 10)
                carry = 5;
            if (i == 11)
                got = carry;
        }
        // Chunks go round: 0 and 2 to the same thread.
#pragma omp for schedule(dynamic, 10)
        for (int i = 0; i < N; i++)
            if (i == 3 || i == 27)
                pair += i;
#pragma omp single nowait
        sum = 1;
#pragma omp single
        sum += 2;
    }
    assert(got == 5 && pair == 30 && sum == 3);
    return 0;
}
