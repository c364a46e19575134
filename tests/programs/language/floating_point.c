//@ verdict: race-free
//@ about: float, double and long double arithmetic, infinities, NaN, comparisons
#include <assert.h>
#include <float.h>
#include <math.h>

static double horner(const double *c, int n, double x)
{
    double r = 0;
    for (int i = n - 1; i >= 0; i--)
        r = r * x + c[i];
    return r;
}

int main(void)
{
    volatile double one = 1.0, zero = 0.0;
    volatile float f = 0.1f;
    const double c[] = {1, -2, 0, 4};
    assert(horner(c, 4, 0.5) == 0.5);
    assert(0.1 + 0.2 != 0.3 && fabs(0.1 + 0.2 - 0.3) < 1e-15);
    assert((double)f > 0.1 && f - 0.1 < 1e-8);
    assert(f * 10 == 1.0f);
    double inf = one / zero, nan = zero / zero;
    assert(isinf(inf) && inf > DBL_MAX && -inf < -DBL_MAX);
    assert(isnan(nan) && nan != nan && !(nan < 1) && !(nan >= 1) && !(nan == nan));
    assert(one / 3 * 3 == 1.0);
    assert(-zero == zero && signbit(-zero) && !signbit(zero));
    long double l = 1.0L;
    for (int i = 1; i <= 20; i++)
        l *= i;
    assert(l == 2432902008176640000.0L);
    assert((double)(l / 19) * 19 > 2.4e18);
    float sum = 0;
    for (int i = 0; i < 10; i++)
        sum += 0.5f;
    assert(sum == 5.0f);
    double x = 7.5;
    x += 2;
    x -= 0.5;
    x *= 2;
    x /= 3;
    x++;
    assert(x == 7.0 && -x == -7.0 && !!x);
    assert(DBL_EPSILON + 1.0 > 1.0 && DBL_EPSILON / 2 + 1.0 == 1.0);
    assert((int)(f * 100) == 10);
    assert(0x1.8p3 == 12.0 && 1e3 == 1000 && .5f == 5e-1f);
    return 0;
}
