/* raceproof.h: how a program tells raceproof about its inputs.
 *
 * Include it and call these functions; `raceproof check` explores what they allow. The program still compiles and runs
 * without raceproof: define RACEPROOF_NATIVE in exactly one source file before including this header, or pass
 * -DRACEPROOF_NATIVE to the compiler, and each function gets an ordinary meaning, given beside it. (`raceproof` itself
 * defines __RACEPROOF__, and RACEPROOF_NATIVE is then ignored.)
 */
#ifndef RACEPROOF_H
#define RACEPROOF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(RACEPROOF_NATIVE) && !defined(__RACEPROOF__)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RACEPROOF_FN __attribute__((weak, unused))

/* Natively: the environment variable RACEPROOF_RANGE if it is a number inside the range, otherwise lo. */
RACEPROOF_FN int raceproof_range(int lo, int hi) {
    const char *text = getenv("RACEPROOF_RANGE");
    long long v = text != NULL ? strtoll(text, NULL, 10) : lo;
    return v >= lo && v <= hi ? v : lo;
}

/* Natively: a false assumption ends the run quietly with exit code 0. */
RACEPROOF_FN void raceproof_assume(int condition) {
    if (!condition) {
        fflush(NULL);
        _Exit(0);
    }
}

/* Natively: the bytes become zero. */
RACEPROOF_FN void raceproof_any(void *p, size_t n) { memset(p, 0, n); }

/* Natively: one spin lock for all atomic sections (they do not nest). */
RACEPROOF_FN char raceproof_section;
RACEPROOF_FN void raceproof_atomic_begin(void) {
    while (__atomic_test_and_set(&raceproof_section, __ATOMIC_ACQUIRE)) {
    }
}
RACEPROOF_FN void raceproof_atomic_end(void) { __atomic_clear(&raceproof_section, __ATOMIC_RELEASE); }

#undef RACEPROOF_FN

#else

/* A number from lo to hi, both included. Every one is explored. */
int raceproof_range(int lo, int hi);

/* Only executions in which the condition holds are considered from here on. */
void raceproof_assume(int condition);

/* The n bytes at p may have any value. They are not enumerated: a verdict holds for all values as long as they steer
 * neither control nor an address, and is "unknown" otherwise. */
void raceproof_any(void *p, size_t n);

/* Between the two no other thread runs. */
void raceproof_atomic_begin(void);
void raceproof_atomic_end(void);

#endif

#ifdef __cplusplus
}
#endif
#endif
