//@ verdict: defect
//@ defect: assertion 14
//@ about: v - x does not commute with itself, unlike x - v
#include <assert.h>
int x = 10;

int main(void)
{
#pragma omp parallel for num_threads(2)
    for (int i = 1; i <= 2; i++) {
#pragma omp critical
        x = i * 3 - x;
    }
    assert(x == 13);
    return 0;
}
