//@ verdict: race
//@ race: set.even|set.odd 16 18
//@ about: sections: two bit-fields of one storage unit are one memory location
#include <stdio.h>

struct flags {
    unsigned even : 4, odd : 4;
};

int main(void)
{
    struct flags set = {0, 0};
#pragma omp parallel sections
    {
#pragma omp section
        set.even = 3;
#pragma omp section
        set.odd = 5;
    }
    printf("%u %u\n", set.even, set.odd);
    return 0;
}
