/* gamma.c: the logarithm of the gamma function (C11 7.12.8.3, POSIX). lgamma also stores the sign of gamma in signgam, without
 * a lock (glibc: MT-Unsafe race:signgam); lgamma_r stores it where the caller says. */
#define _GNU_SOURCE
#include "rp.h"
#include <math.h>

double __rp_lgamma(double v);
float __rp_lgammaf(float v);

MODEL int signgam;

/* Negative between -1 and 0, between -3 and -2, and so on. No branch, so that the value steers nothing. */
static int sign(double v) {
    double below = floor(v);
    return 1 - 2 * ((v < 0) & (below != v) & (fmod(below, 2) != 0));
}
MODEL double lgamma_r(double v, int *s) {
    *s = sign(v);
    return __rp_lgamma(v);
}
MODEL float lgammaf_r(float v, int *s) {
    *s = sign(v);
    return __rp_lgammaf(v);
}
MODEL double lgamma(double v) {
    signgam = sign(v);
    return __rp_lgamma(v);
}
MODEL float lgammaf(float v) {
    signgam = sign(v);
    return __rp_lgammaf(v);
}
MODEL double gamma(double v) {
    signgam = sign(v);
    return __rp_lgamma(v);
}
MODEL float gammaf(float v) {
    signgam = sign(v);
    return __rp_lgammaf(v);
}
