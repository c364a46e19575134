//@ verdict: race-free
//@ about: _Complex arithmetic
#include <assert.h>
#include <complex.h>

int main(void)
{
    volatile double one = 1;
    double complex z = one + 2.0 * I, w = 3.0 - one * I;
    double complex sum = z + w, product = z * w;
    assert(creal(sum) == 4 && cimag(sum) == 1);
    assert(creal(product) == 5 && cimag(product) == 5);
    z = conj(z);
    assert(cimag(z) == -2 && z == 1.0 - 2.0 * I);
    float complex f = 2.0f * I;
    assert(crealf(f * f) == -4.0f);
    return 0;
}
