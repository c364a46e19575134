/* fortify.c: the checked variants that _FORTIFY_SOURCE and -fstack-protector make of library calls. The object's size is
 * checked first, as in glibc; the bytes themselves are checked by the machine anyway. Formatted output is in stdio.c. */
#define _GNU_SOURCE
#include "rp.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static void fits(size_t n, size_t object) {
    if (n > object) __rp_defect(RP_MISUSE, "buffer overflow in a fortified library function");
}
MODEL _Noreturn void __chk_fail(void) { __rp_defect(RP_ABORT, "buffer overflow detected"); }
MODEL _Noreturn void __stack_chk_fail(void) { __rp_defect(RP_ABORT, "stack smashing detected"); }
MODEL uintptr_t __stack_chk_guard;

MODEL void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t object) {
    fits(n, object);
    return memcpy(to, from, n);
}
MODEL void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t object) {
    fits(n, object);
    return mempcpy(to, from, n);
}
MODEL void *__memmove_chk(void *to, const void *from, size_t n, size_t object) {
    fits(n, object);
    return memmove(to, from, n);
}
MODEL void *__memset_chk(void *to, int c, size_t n, size_t object) {
    fits(n, object);
    return memset(to, c, n);
}
MODEL void __explicit_bzero_chk(void *to, size_t n, size_t object) {
    fits(n, object);
    memset(to, 0, n);
}
MODEL char *__strcpy_chk(char *restrict to, const char *restrict from, size_t object) {
    fits(strlen(from) + 1, object);
    return strcpy(to, from);
}
MODEL char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t object) {
    fits(strlen(from) + 1, object);
    return stpcpy(to, from);
}
MODEL char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t object) {
    fits(n, object);
    return strncpy(to, from, n);
}
MODEL char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t object) {
    fits(n, object);
    return stpncpy(to, from, n);
}
MODEL char *__strcat_chk(char *restrict to, const char *restrict from, size_t object) {
    fits(strlen(to) + strlen(from) + 1, object);
    return strcat(to, from);
}
MODEL char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t object) {
    fits(strlen(to) + strnlen(from, n) + 1, object);
    return strncat(to, from, n);
}
MODEL char *__fgets_chk(char *restrict s, size_t object, int n, FILE *restrict f) {
    fits((size_t)n, object);
    return fgets(s, n, f);
}
MODEL size_t __fread_chk(void *restrict p, size_t object, size_t size, size_t n, FILE *restrict f) {
    fits(size * n, object);
    return fread(p, size, n, f);
}
MODEL ssize_t __read_chk(int fd, void *p, size_t n, size_t object) {
    fits(n, object);
    return read(fd, p, n);
}
MODEL wchar_t *__wmemcpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t n, size_t object) {
    fits(n, object);
    return wmemcpy(to, from, n);
}
MODEL wchar_t *__wcscpy_chk(wchar_t *restrict to, const wchar_t *restrict from, size_t object) {
    fits(wcslen(from) + 1, object);
    return wcscpy(to, from);
}
/* The index of a descriptor in an fd_set. */
MODEL long __fdelt_chk(long fd) {
    if (fd < 0 || fd >= 1024) __rp_defect(RP_MISUSE, "a descriptor outside an fd_set");
    return fd / (long)(8 * sizeof(long));
}
