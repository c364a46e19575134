/* complex.c: complex arithmetic (C11 7.3 and Annex G): the functions that compilers call for * and /, and the common part of
 * complex.h, over the machine's math.h. */
#define _GNU_SOURCE
#include "rp.h"
#include <complex.h>
#include <math.h>

/* Annex G.5.1 p6: a product with an infinite factor stays infinite although its parts came out as NaN. */
#define BOX(v) copysign(isinf(v) ? 1.0 : 0.0, (double)(v))
#define ZERO_IF_NAN(v) (isnan(v) ? copysign(0.0, (double)(v)) : (v))
#define MULTIPLY(name, type)                                                                \
    type _Complex name(type a, type b, type c, type d);                                     \
    MODEL type _Complex name(type a, type b, type c, type d) {                              \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                \
        type x = ac - bd, y = ad + bc;                                                      \
        if (isnan(x) && isnan(y)) {                                                         \
            int again = 0;                                                                  \
            if (isinf(a) || isinf(b)) {                                                     \
                a = (type)BOX(a), b = (type)BOX(b);                                         \
                c = (type)ZERO_IF_NAN(c), d = (type)ZERO_IF_NAN(d);                         \
                again = 1;                                                                  \
            }                                                                               \
            if (isinf(c) || isinf(d)) {                                                     \
                c = (type)BOX(c), d = (type)BOX(d);                                         \
                a = (type)ZERO_IF_NAN(a), b = (type)ZERO_IF_NAN(b);                         \
                again = 1;                                                                  \
            }                                                                               \
            if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {             \
                a = (type)ZERO_IF_NAN(a), b = (type)ZERO_IF_NAN(b);                         \
                c = (type)ZERO_IF_NAN(c), d = (type)ZERO_IF_NAN(d);                         \
                again = 1;                                                                  \
            }                                                                               \
            if (again) {                                                                    \
                x = (type)INFINITY * (a * c - b * d);                                       \
                y = (type)INFINITY * (a * d + b * c);                                       \
            }                                                                               \
        }                                                                                   \
        type _Complex z;                                                                    \
        __real__ z = x;                                                                     \
        __imag__ z = y;                                                                     \
        return z;                                                                           \
    }
MULTIPLY(__mulsc3, float)
MULTIPLY(__muldc3, double)
MULTIPLY(__mulxc3, long double)

/* Annex G.5.1 p8: scaled by the divisor's exponent, then the exceptional cases. */
#define DIVIDE(name, type, logb_, scalbn_, fmax_)                                           \
    type _Complex name(type a, type b, type c, type d);                                     \
    MODEL type _Complex name(type a, type b, type c, type d) {                              \
        int scale = 0;                                                                      \
        type size = logb_(fmax_(c < 0 ? -c : c, d < 0 ? -d : d));                           \
        if (isfinite(size)) {                                                               \
            scale = (int)size;                                                              \
            c = scalbn_(c, -scale), d = scalbn_(d, -scale);                                 \
        }                                                                                   \
        type square = c * c + d * d;                                                        \
        type x = scalbn_((a * c + b * d) / square, -scale);                                 \
        type y = scalbn_((b * c - a * d) / square, -scale);                                 \
        if (isnan(x) && isnan(y)) {                                                         \
            if (square == 0 && (!isnan(a) || !isnan(b))) {                                  \
                x = (type)copysign(INFINITY, (double)c) * a;                                \
                y = (type)copysign(INFINITY, (double)c) * b;                                \
            } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {              \
                a = (type)BOX(a), b = (type)BOX(b);                                         \
                x = (type)INFINITY * (a * c + b * d);                                       \
                y = (type)INFINITY * (b * c - a * d);                                       \
            } else if (isinf(size) && size > 0 && isfinite(a) && isfinite(b)) {             \
                c = (type)BOX(c), d = (type)BOX(d);                                         \
                x = 0 * (a * c + b * d);                                                    \
                y = 0 * (b * c - a * d);                                                    \
            }                                                                               \
        }                                                                                   \
        type _Complex z;                                                                    \
        __real__ z = x;                                                                     \
        __imag__ z = y;                                                                     \
        return z;                                                                           \
    }
DIVIDE(__divsc3, float, logbf, scalbnf, fmaxf)
DIVIDE(__divdc3, double, logb, scalbn, fmax)
DIVIDE(__divxc3, long double, logbl, scalbnl, fmaxl)

/* ---- complex.h ---- */

static double complex make(double re, double im) {
    double complex z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}
MODEL double creal(double complex z) { return __real__ z; }
MODEL double cimag(double complex z) { return __imag__ z; }
MODEL float crealf(float complex z) { return __real__ z; }
MODEL float cimagf(float complex z) { return __imag__ z; }
MODEL double complex conj(double complex z) { return make(__real__ z, -__imag__ z); }
MODEL double cabs(double complex z) { return hypot(__real__ z, __imag__ z); }
MODEL float cabsf(float complex z) { return hypotf(__real__ z, __imag__ z); }
MODEL double carg(double complex z) { return atan2(__imag__ z, __real__ z); }
MODEL double complex cexp(double complex z) {
    double size = exp(__real__ z);
    return make(size * cos(__imag__ z), size * sin(__imag__ z));
}
MODEL double complex clog(double complex z) { return make(log(cabs(z)), carg(z)); }
MODEL double complex csqrt(double complex z) {
    double size = cabs(z), re = sqrt((size + fabs(__real__ z)) / 2);
    if (re == 0) return make(0, __imag__ z);
    double im = fabs(__imag__ z) / (2 * re);
    if (__real__ z < 0) return make(im, copysign(re, __imag__ z));
    return make(re, copysign(im, __imag__ z));
}
MODEL double complex cpow(double complex z, double complex w) {
    if (__real__ z == 0 && __imag__ z == 0) return make(__real__ w == 0 && __imag__ w == 0, 0);
    double complex l = clog(z);
    return cexp(make(__real__ w * __real__ l - __imag__ w * __imag__ l, __real__ w * __imag__ l + __imag__ w * __real__ l));
}
