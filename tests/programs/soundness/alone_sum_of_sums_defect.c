//@ verdict: defect
//@ defect: assertion 13
//@ about: a sum of partial sums depends on the order of the iterations, also in a team of one thread
#include <assert.h>
int main(void)
{
    int sum = 0, sums = 0;
#pragma omp parallel for num_threads(1) schedule(dynamic)
    for (int i = 0; i < 3; i++) {
        sum += i;
        sums += sum;
    }
    assert(sums == 4);
    return 0;
}
