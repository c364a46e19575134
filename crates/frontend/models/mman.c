/* mman.c: memory mappings (POSIX sys/mman.h): anonymous ones are zeroed heap objects, whole pages, freed as a whole. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
MODEL void *mmap(void *address UNUSED, size_t n, int protection UNUSED, int flags, int fd UNUSED, off_t offset UNUSED) {
    if (!(flags & MAP_ANONYMOUS)) __rp_unsupported("mmap of a file");
    if (flags & MAP_FIXED) __rp_unsupported("mmap at a fixed address");
    if (n == 0) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    void *p = __rp_try_alloc((n + PAGE - 1) / PAGE * PAGE, PAGE, 1);
    return p != NULL ? p : MAP_FAILED;
}
MODEL int munmap(void *p, size_t n) {
    if (__rp_usable_size(p) != (n + PAGE - 1) / PAGE * PAGE) __rp_unsupported("munmap of a part of a mapping");
    __rp_dealloc(p, RP_MALLOC);
    return 0;
}
MODEL int mprotect(void *p UNUSED, size_t n UNUSED, int protection) {
    if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE)) __rp_not_modelled("mprotect");
    return 0;
}
MODEL int madvise(void *p UNUSED, size_t n UNUSED, int advice) {
    if (advice == MADV_DONTNEED) __rp_unsupported("madvise(MADV_DONTNEED)");
    return 0;
}
MODEL int mlock(const void *p UNUSED, size_t n UNUSED) { return 0; }
MODEL int munlock(const void *p UNUSED, size_t n UNUSED) { return 0; }
MODEL int mlockall(int flags UNUSED) { return 0; }
MODEL int munlockall(void) { return 0; }
