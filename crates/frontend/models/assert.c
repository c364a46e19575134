/* assert.c: failed assertions (C11 7.2) and errno (7.5), which belongs to the thread. */
#include "rp.h"

_Thread_local int __rp_errno __attribute__((weak));
MODEL int *__errno_location(void) { return &__rp_errno; }

static size_t append(char *buffer, size_t at, size_t cap, const char *text) {
    while (*text != '\0' && at + 1 < cap) buffer[at++] = *text++;
    return at;
}
static _Noreturn void failed(const char *what) {
    char message[256];
    size_t n = append(message, 0, sizeof message, "assertion `");
    n = append(message, n, sizeof message - 9, what);
    n = append(message, n, sizeof message, "` failed");
    message[n] = '\0';
    __rp_defect(RP_ASSERTION, message);
}
MODEL _Noreturn void __assert_fail(const char *expression, const char *file UNUSED, unsigned line UNUSED,
                                   const char *function UNUSED) {
    failed(expression);
}
MODEL _Noreturn void __assert(const char *expression, const char *file UNUSED, int line UNUSED) { failed(expression); }
MODEL _Noreturn void __assert_perror_fail(int error UNUSED, const char *file UNUSED, unsigned line UNUSED,
                                          const char *function UNUSED) {
    failed("assert_perror");
}
/* libstdc++'s own checks (-D_GLIBCXX_ASSERTIONS). */
MODEL _Noreturn void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file UNUSED, int line UNUSED,
                                                           const char *function UNUSED, const char *condition) {
    failed(condition);
}
