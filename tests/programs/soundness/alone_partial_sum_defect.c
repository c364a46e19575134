//@ verdict: defect
//@ defect: assertion 13
//@ about: in a team of one thread all gather in one variable, but in any order: what one iteration finds of it is open
#include <assert.h>
int main(void)
{
    int sum = 0, seen[3];
#pragma omp parallel for num_threads(1) schedule(dynamic)
    for (int i = 0; i < 3; i++) {
        sum += 1;
        seen[i] = sum;
    }
    assert(seen[0] == 1);
    return 0;
}
