/* random.c: pseudo-random numbers (C11 7.22.2, POSIX). The standards leave the sequences of rand and random open: each
 * result is an unconstrained input in its range, made without a branch. rand and random lock in glibc, so no race on
 * their state. The drand48 family is the linear congruential generator that POSIX spells out; its shared state is a static
 * object, since glibc documents those functions as unsafe to call from two threads. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

static unsigned any31(void) {
    unsigned v;
    __rp_havoc(&v, sizeof v);
    return v & 0x7fffffff;
}
MODEL int rand(void) { return (int)any31(); }
/* The same seed gives the same sequence once more, which is not known here. */
static _Atomic int seeded;
static void seed_once(void) {
    if (__c11_atomic_exchange(&seeded, 1, __ATOMIC_SEQ_CST))
        __rp_unsupported("random numbers that are seeded twice: the same seed repeats the sequence");
}
MODEL void srand(unsigned seed UNUSED) { seed_once(); }
MODEL long random(void) { return (long)any31(); }
MODEL void srandom(unsigned seed UNUSED) { seed_once(); }
MODEL char *initstate(unsigned seed UNUSED, char *state, size_t n UNUSED) { return state; }
MODEL char *setstate(char *state) { return state; }
/* The caller's state is read and written: two threads that share it race. */
MODEL int rand_r(unsigned *state) {
    unsigned v = *state;
    __rp_havoc(&v, sizeof v);
    *state = v;
    return (int)(v & 0x7fffffff);
}
MODEL int srandom_r(unsigned seed UNUSED, struct random_data *state) {
    state->rptr = state->fptr;
    return 0;
}
MODEL int initstate_r(unsigned seed UNUSED, char *buffer, size_t n UNUSED, struct random_data *state) {
    state->state = (int32_t *)(void *)buffer;
    state->rptr = state->fptr = state->state;
    return 0;
}
MODEL int random_r(struct random_data *state, int32_t *result) {
    state->rptr = state->fptr;
    *result = (int32_t)any31();
    return 0;
}
MODEL unsigned arc4random(void) {
    unsigned v;
    __rp_havoc(&v, sizeof v);
    return v;
}
MODEL unsigned arc4random_uniform(unsigned bound) { return bound < 2 ? 0 : arc4random() % bound; }
MODEL void arc4random_buf(void *p, size_t n) { __rp_havoc(p, n); }
MODEL ssize_t getrandom(void *p, size_t n, unsigned flags UNUSED) {
    __rp_havoc(p, n);
    return (ssize_t)n;
}
MODEL int getentropy(void *p, size_t n) {
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    __rp_havoc(p, n);
    return 0;
}

/* ---- the 48-bit generator: X' = a X + c mod 2^48 ---- */

static const uint64_t MASK48 = (1ull << 48) - 1, DEFAULT_A = 0x5DEECE66Dull;
static uint64_t shared_x;
static uint64_t multiplier = 0x5DEECE66Dull;
static unsigned short increment = 0xB;
static unsigned short old_x[3];

static uint64_t load48(const unsigned short x[3]) {
    return (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0];
}
static void store48(unsigned short x[3], uint64_t v) {
    x[0] = (unsigned short)v;
    x[1] = (unsigned short)(v >> 16);
    x[2] = (unsigned short)(v >> 32);
}
static uint64_t step(uint64_t x) { return (x * multiplier + increment) & MASK48; }
static uint64_t step_shared(void) { return shared_x = step(shared_x); }
static uint64_t step_user(unsigned short x[3]) {
    uint64_t v = step(load48(x));
    store48(x, v);
    return v;
}
static double unit(uint64_t v) { return (double)v / 281474976710656.0; }

MODEL double drand48(void) { return unit(step_shared()); }
MODEL long lrand48(void) { return (long)(step_shared() >> 17); }
MODEL long mrand48(void) { return (int32_t)(step_shared() >> 16); }
MODEL double erand48(unsigned short x[3]) { return unit(step_user(x)); }
MODEL long nrand48(unsigned short x[3]) { return (long)(step_user(x) >> 17); }
MODEL long jrand48(unsigned short x[3]) { return (int32_t)(step_user(x) >> 16); }
MODEL void srand48(long seed) {
    shared_x = ((uint64_t)(uint32_t)seed << 16) | 0x330E;
    multiplier = DEFAULT_A;
    increment = 0xB;
}
MODEL unsigned short *seed48(unsigned short x[3]) {
    store48(old_x, shared_x);
    shared_x = load48(x);
    multiplier = DEFAULT_A;
    increment = 0xB;
    return old_x;
}
MODEL void lcong48(unsigned short p[7]) {
    shared_x = load48(p);
    multiplier = load48(p + 3);
    increment = p[6];
}

/* The reentrant GNU forms keep the state in the caller's object. */
static uint64_t step_data(unsigned short x[3], struct drand48_data *d) {
    uint64_t a = d->__init ? d->__a : DEFAULT_A, c = d->__init ? d->__c : 0xB;
    uint64_t v = (load48(x) * a + c) & MASK48;
    store48(x, v);
    return v;
}
MODEL int srand48_r(long seed, struct drand48_data *d) {
    store48(d->__x, ((uint64_t)(uint32_t)seed << 16) | 0x330E);
    d->__a = DEFAULT_A;
    d->__c = 0xB;
    d->__init = 1;
    return 0;
}
MODEL int drand48_r(struct drand48_data *d, double *r) {
    *r = unit(step_data(d->__x, d));
    return 0;
}
MODEL int lrand48_r(struct drand48_data *d, long *r) {
    *r = (long)(step_data(d->__x, d) >> 17);
    return 0;
}
MODEL int mrand48_r(struct drand48_data *d, long *r) {
    *r = (int32_t)(step_data(d->__x, d) >> 16);
    return 0;
}
MODEL int erand48_r(unsigned short x[3], struct drand48_data *d, double *r) {
    *r = unit(step_data(x, d));
    return 0;
}
MODEL int nrand48_r(unsigned short x[3], struct drand48_data *d, long *r) {
    *r = (long)(step_data(x, d) >> 17);
    return 0;
}
