/* verifier.c: the functions by which a program names its inputs and its claims: the __VERIFIER_* convention of the
 * software verification community, and raceproof's own (include/raceproof.h). */
#include "rp.h"

#define NONDET(name, type)                 \
    MODEL type __VERIFIER_nondet_##name(void) { \
        type v;                            \
        __rp_havoc(&v, sizeof v);          \
        return v;                          \
    }
NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(unsigned_char, unsigned char)
NONDET(unsigned_short, unsigned short)
NONDET(unsigned_long, unsigned long)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(s8, int8_t)
NONDET(s16, int16_t)
NONDET(s32, int32_t)
NONDET(s64, int64_t)
NONDET(u64, uint64_t)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(S8, int8_t)
NONDET(U8, uint8_t)
NONDET(S16, int16_t)
NONDET(U16, uint16_t)
NONDET(S32, int32_t)
NONDET(U32, uint32_t)
NONDET(S64, int64_t)
NONDET(U64, uint64_t)
NONDET(size_t, size_t)
NONDET(ssize_t, ptrdiff_t)
NONDET(ptrdiff_t, ptrdiff_t)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(float, float)
NONDET(double, double)
NONDET(longdouble, long double)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(charp, char *)
NONDET(voidp, void *)
NONDET(const_char_pointer, const char *)
#ifdef __SIZEOF_INT128__
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
#endif
/* A truth value steers control by nature: it is enumerated. */
MODEL _Bool __VERIFIER_nondet_bool(void) { return __rp_choose(0, 1) != 0; }
MODEL _Bool __VERIFIER_nondet__Bool(void) { return __rp_choose(0, 1) != 0; }
MODEL void __VERIFIER_nondet_memory(void *p, size_t n) { __rp_havoc(p, n); }

MODEL void __VERIFIER_assume(int condition) { __rp_assume(condition); }
MODEL void __VERIFIER_assert(int condition) {
    if (!condition) __rp_defect(RP_ASSERTION, "__VERIFIER_assert failed");
}
MODEL _Noreturn void __VERIFIER_error(void) { __rp_defect(RP_ASSERTION, "__VERIFIER_error called"); }
MODEL _Noreturn void reach_error(void) { __rp_defect(RP_ASSERTION, "reach_error called"); }
MODEL void __VERIFIER_atomic_begin(void) { __rp_atomic_begin(); }
MODEL void __VERIFIER_atomic_end(void) { __rp_atomic_end(); }

MODEL int raceproof_range(int lo, int hi) {
    if (lo > hi) __rp_defect(RP_MISUSE, "raceproof_range: the lower bound exceeds the upper one");
    return __rp_choose(lo, hi);
}
MODEL void raceproof_assume(int condition) { __rp_assume(condition); }
MODEL void raceproof_any(void *p, size_t n) { __rp_havoc(p, n); }
MODEL void raceproof_atomic_begin(void) { __rp_atomic_begin(); }
MODEL void raceproof_atomic_end(void) { __rp_atomic_end(); }
