//@ verdict: race-free
//@ about: reductions with *, - and floating point values that add up exactly
#include <assert.h>

int main(void)
{
    int product = 1, minus = 1000;
    double sum = 0;
#pragma omp parallel for reduction(* : product) reduction(- : minus) reduction(+ : sum)
    for (int i = 1; i <= 100; i++) {
        if (i <= 10)
            product *= i;
        minus -= i;
        sum += 0.5;
    }
    assert(product == 3628800 && minus == 1000 - 5050 && sum == 50.0);
    return 0;
}
