//@ verdict: race-free
//@ about: atomic updates of the elements of an array and of a member
#include <assert.h>

struct tally {
    int low, high;
};

int main(void)
{
    int bin[16] = {0};
    struct tally t = {0, 0};
#pragma omp parallel for
    for (int i = 0; i < 320; i++) {
#pragma omp atomic
        bin[i % 16]++;
        if (i < 100) {
#pragma omp atomic
            t.low++;
        } else {
#pragma omp atomic
            t.high++;
        }
    }
    for (int b = 0; b < 16; b++)
        assert(bin[b] == 20);
    assert(t.low == 100 && t.high == 220);
    return 0;
}
