/* time.c: clocks and sleeping (C11 7.27, POSIX). What a clock shows is unconstrained within its type's valid range, made
 * without a branch; sleeping is a scheduling point and nothing else, since any thread may be slow. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>

/* Each look at a clock in one thread is an hour after the one before, up to a point, besides being arbitrary: so a loop that
 * waits for a deadline ends also when the arbitrary part is always the same. Where it is tracked as unconstrained,
 * counting would only make equal states differ. */
MODEL long __rp_hours(void) {
    static _Thread_local long looks;
    char probe;
    __rp_havoc(&probe, 1);
    if (__rp_unconstrained(&probe, 1)) return 0;
    if (looks < 1000) looks++;
    return looks;
}
/* Non-negative, small enough that sums of a few do not overflow. */
static long any_seconds(void) {
    unsigned v;
    __rp_havoc(&v, sizeof v);
    return (long)(v & 0x1fffffff) + 3600 * __rp_hours();
}
static long any_below(unsigned bound) {
    unsigned v;
    __rp_havoc(&v, sizeof v);
    return (long)(v % bound);
}
MODEL time_t time(time_t *out) {
    time_t t = any_seconds();
    if (out != NULL) *out = t;
    return t;
}
MODEL clock_t clock(void) { return any_seconds(); }
MODEL clock_t times(struct tms *out) {
    out->tms_utime = out->tms_stime = out->tms_cutime = out->tms_cstime = any_seconds();
    return any_seconds();
}
MODEL double difftime(time_t a, time_t b) { return (double)a - (double)b; }
MODEL int clock_gettime(clockid_t clock UNUSED, struct timespec *out) {
    out->tv_sec = any_seconds();
    out->tv_nsec = any_below(1000000000);
    return 0;
}
MODEL int clock_getres(clockid_t clock UNUSED, struct timespec *out) {
    if (out != NULL) {
        out->tv_sec = 0;
        out->tv_nsec = 1;
    }
    return 0;
}
MODEL int clock_settime(clockid_t clock UNUSED, const struct timespec *t UNUSED) {
    errno = EPERM;
    return -1;
}
MODEL int timespec_get(struct timespec *out, int base) {
    if (base != TIME_UTC) return 0;
    out->tv_sec = any_seconds();
    out->tv_nsec = any_below(1000000000);
    return base;
}
MODEL int gettimeofday(struct timeval *restrict out, void *restrict zone UNUSED) {
    out->tv_sec = any_seconds();
    out->tv_usec = any_below(1000000);
    return 0;
}
MODEL int ftime(struct timeb *out) {
    out->time = any_seconds();
    out->millitm = (unsigned short)any_below(1000);
    out->timezone = out->dstflag = 0;
    return 0;
}

static int pause_for(const struct timespec *t, struct timespec *rest) {
    if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec > 999999999) return EINVAL;
    __rp_yield();
    if (rest != NULL) rest->tv_sec = 0, rest->tv_nsec = 0;
    return 0;
}
MODEL int nanosleep(const struct timespec *t, struct timespec *rest) {
    int error = pause_for(t, rest);
    if (error == 0) return 0;
    errno = error;
    return -1;
}
MODEL int clock_nanosleep(clockid_t clock UNUSED, int flags UNUSED, const struct timespec *t, struct timespec *rest) {
    return pause_for(t, rest);
}
MODEL int usleep(useconds_t t UNUSED) {
    __rp_yield();
    return 0;
}
MODEL unsigned sleep(unsigned seconds UNUSED) {
    __rp_yield();
    return 0;
}
