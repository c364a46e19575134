//@ verdict: race-free
//@ about: the functions of math.h, exact where they must be and close elsewhere
#include <assert.h>
#include <math.h>

static int near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (1 + fabs(b));
}

int main(void)
{
    volatile double two = 2, half = 0.5;
    assert(sqrt(two * 8) == 4 && sqrtf(9.0f) == 3.0f && near(cbrt(27.0), 3) && near(sqrt(two), 1.4142135623730951));
    assert(pow(two, 10) == 1024 && near(pow(two, half), sqrt(two)) && hypot(3, 4) == 5);
    assert(floor(-1.5) == -2 && ceil(-1.5) == -1 && trunc(-1.5) == -1 && round(-1.5) == -2);
    assert(rint(2.5) == 2 && nearbyint(3.5) == 4 && lround(2.5) == 3 && lrint(1.5) == 2 && llround(-0.4) == 0);
    assert(fabs(-half) == 0.5 && fmod(7.5, 2) == 1.5 && fmod(-7.5, 2) == -1.5 && remainder(7, 4) == -1);
    assert(fmax(1, 2) == 2 && fmin(1, NAN) == 1 && fdim(5, 3) == 2 && fma(2, 3, 4) == 10);
    assert(near(sin(half), 0.479425538604203) && near(cos(half), 0.8775825618903728) && near(tan(half), 0.5463024898437905));
    assert(near(asin(half), 0.5235987755982989) && near(acos(half), 1.0471975511965979) && near(atan(two), 1.1071487177940904));
    assert(near(atan2(-1, -1), -2.356194490192345) && sin(0) == 0 && cos(0) == 1);
    assert(near(exp(1), 2.718281828459045) && exp(0) == 1 && exp2(3) == 8 && near(expm1(half), 0.6487212707001282));
    assert(near(log(two), 0.6931471805599453) && log10(1000) == 3 && log2(8) == 3 && near(log1p(half), 0.4054651081081644));
    assert(near(sinh(half), 0.5210953054937474) && near(cosh(half), 1.1276259652063807) && near(tanh(half), 0.46211715726000973));
    assert(near(tgamma(5), 24) && near(erf(half), 0.5204998778130465));
    int e;
    double ip;
    assert(frexp(12, &e) == 0.75 && e == 4 && ldexp(0.75, 4) == 12 && modf(-3.25, &ip) == -0.25 && ip == -3);
    assert(copysign(3, -0.0) == -3 && signbit(-1.0) && !signbit(1.0) && nextafter(1, 2) > 1);
    assert(isnan(NAN) && isinf(INFINITY) && isfinite(1.0) && !isnormal(0.0) && isnan(sqrt(-1)));
    assert(floorf(1.9f) == 1.0f && fabsf(-2.0f) == 2.0f && powf(2, 3) == 8.0f && scalbn(1, 5) == 32 && ilogb(40) == 5);
    return 0;
}
