/* unistd.c: the process and the system (POSIX unistd.h, sched.h, sys/sysinfo.h). There is one process; files, other
 * processes and the network are not modelled. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- identity ---- */
MODEL pid_t getpid(void) { return 1000; }
MODEL pid_t getppid(void) { return 999; }
MODEL pid_t getpgrp(void) { return 1000; }
MODEL pid_t gettid(void) { return (pid_t)(1000 + __rp_thread_id()); }
MODEL uid_t getuid(void) { return 1000; }
MODEL uid_t geteuid(void) { return 1000; }
MODEL gid_t getgid(void) { return 1000; }
MODEL gid_t getegid(void) { return 1000; }

/* ---- the system's limits ---- */
MODEL long sysconf(int name) {
    switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: return (long)__rp_thread_bound();
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 1024;
    case _SC_ARG_MAX: return 2097152;
    case _SC_THREADS:
    case _SC_THREAD_SAFE_FUNCTIONS:
    case _SC_MONOTONIC_CLOCK: return 200809;
    case _SC_THREAD_KEYS_MAX: return 128;
    case _SC_THREAD_STACK_MIN: return 16384;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES: return 1 << 20;
    default: __rp_unsupported("sysconf of this name");
    }
}
MODEL int getpagesize(void) { return 4096; }
MODEL int getdtablesize(void) { return 1024; }
MODEL int get_nprocs(void) { return (int)__rp_thread_bound(); }
MODEL int get_nprocs_conf(void) { return (int)__rp_thread_bound(); }
MODEL int isatty(int fd UNUSED) {
    errno = ENOTTY;
    return 0;
}
MODEL int gethostname(char *name UNUSED, size_t n UNUSED) { __rp_not_modelled("gethostname"); }
MODEL int getrusage(__rusage_who_t who UNUSED, struct rusage *out) {
    __builtin_memset(out, 0, sizeof *out);
    unsigned v;
    __rp_havoc(&v, sizeof v);
    out->ru_utime.tv_sec = (long)(v & 0x3fffffff);
    return 0;
}
MODEL int getrlimit(__rlimit_resource_t what UNUSED, struct rlimit *out) {
    out->rlim_cur = out->rlim_max = RLIM_INFINITY;
    return 0;
}
MODEL int setrlimit(__rlimit_resource_t what UNUSED, const struct rlimit *limit UNUSED) { return 0; }
MODEL int getloadavg(double *out UNUSED, int n UNUSED) { return -1; }

/* ---- scheduling: hints that the exploration of all schedules makes moot ---- */
MODEL int sched_yield(void) {
    __rp_yield();
    return 0;
}
MODEL int sched_getcpu(void) {
    unsigned v;
    __rp_havoc(&v, sizeof v);
    return (int)(v % __rp_thread_bound());
}
MODEL int sched_get_priority_max(int policy) { return policy == SCHED_OTHER ? 0 : 99; }
MODEL int sched_get_priority_min(int policy) { return policy == SCHED_OTHER ? 0 : 1; }
MODEL int sched_setaffinity(pid_t pid UNUSED, size_t n UNUSED, const cpu_set_t *set UNUSED) { return 0; }
MODEL int sched_getaffinity(pid_t pid UNUSED, size_t n, cpu_set_t *set) {
    __builtin_memset(set, 0, n);
    for (unsigned cpu = 0; cpu < __rp_thread_bound() && cpu < n * 8; cpu++)
        ((unsigned char *)set)[cpu / 8] |= (unsigned char)(1 << cpu % 8);
    return 0;
}
MODEL int sched_setscheduler(pid_t pid UNUSED, int policy UNUSED, const struct sched_param *p UNUSED) { return 0; }
MODEL int sched_getscheduler(pid_t pid UNUSED) { return SCHED_OTHER; }
MODEL int __sched_cpucount(size_t n, const cpu_set_t *set) {
    int count = 0;
    for (size_t i = 0; i < n; i++) count += __builtin_popcount(((const unsigned char *)set)[i]);
    return count;
}
MODEL cpu_set_t *__sched_cpualloc(size_t count) {
    return __rp_alloc((count + 63) / 64 * 8, 16, 0, RP_MALLOC);
}
MODEL void __sched_cpufree(cpu_set_t *set) { __rp_dealloc(set, RP_MALLOC); }
MODEL int nice(int increment UNUSED) { return 0; }
MODEL int getpriority(__priority_which_t which UNUSED, id_t who UNUSED) { return 0; }
MODEL int setpriority(__priority_which_t which UNUSED, id_t who UNUSED, int value UNUSED) { return 0; }

/* ---- descriptors: writing to 1 and 2, reading from 0 ---- */
MODEL ssize_t write(int fd, const void *p, size_t n) {
    if (fd != 1 && fd != 2) __rp_unsupported("write to a descriptor other than 1 and 2");
    __rp_output(fd, p, n);
    return (ssize_t)n;
}
MODEL ssize_t read(int fd, void *p, size_t n) {
    if (fd != 0) __rp_unsupported("read from a descriptor other than 0");
    size_t got;
    __rp_havoc(p, n);
    __rp_havoc(&got, sizeof got);
    return (ssize_t)(got % (n + 1));
}
MODEL int close(int fd) {
    if (fd > 2) __rp_unsupported("close of a file");
    return 0;
}
MODEL int fsync(int fd UNUSED) { return 0; }

/* ---- not modelled ---- */
#define NOT_MODELLED(type, name, parameters) \
    MODEL type name parameters { __rp_not_modelled(#name); }
NOT_MODELLED(int, open, (const char *path UNUSED, int flags UNUSED, ...))
NOT_MODELLED(int, openat, (int at UNUSED, const char *path UNUSED, int flags UNUSED, ...))
NOT_MODELLED(int, creat, (const char *path UNUSED, mode_t mode UNUSED))
NOT_MODELLED(int, unlink, (const char *path UNUSED))
NOT_MODELLED(int, access, (const char *path UNUSED, int mode UNUSED))
NOT_MODELLED(int, mkdir, (const char *path UNUSED, mode_t mode UNUSED))
NOT_MODELLED(int, rmdir, (const char *path UNUSED))
NOT_MODELLED(int, chdir, (const char *path UNUSED))
NOT_MODELLED(char *, getcwd, (char *buffer UNUSED, size_t n UNUSED))
NOT_MODELLED(int, stat, (const char *restrict path UNUSED, struct stat *restrict out UNUSED))
NOT_MODELLED(int, fstat, (int fd UNUSED, struct stat *out UNUSED))
NOT_MODELLED(off_t, lseek, (int fd UNUSED, off_t offset UNUSED, int whence UNUSED))
NOT_MODELLED(int, pipe, (int fds[2] UNUSED))
NOT_MODELLED(int, dup, (int fd UNUSED))
NOT_MODELLED(int, dup2, (int from UNUSED, int to UNUSED))
NOT_MODELLED(pid_t, fork, (void))
NOT_MODELLED(pid_t, vfork, (void))
NOT_MODELLED(pid_t, wait, (int *status UNUSED))
NOT_MODELLED(pid_t, waitpid, (pid_t pid UNUSED, int *status UNUSED, int options UNUSED))
NOT_MODELLED(int, execv, (const char *path UNUSED, char *const args[] UNUSED))
NOT_MODELLED(int, execvp, (const char *file UNUSED, char *const args[] UNUSED))
NOT_MODELLED(int, execve, (const char *path UNUSED, char *const args[] UNUSED, char *const env[] UNUSED))
NOT_MODELLED(int, execl, (const char *path UNUSED, const char *arg UNUSED, ...))
NOT_MODELLED(int, execlp, (const char *file UNUSED, const char *arg UNUSED, ...))
NOT_MODELLED(int, system, (const char *command UNUSED))
NOT_MODELLED(int, mkstemp, (char *pattern UNUSED))
NOT_MODELLED(char *, mkdtemp, (char *pattern UNUSED))
NOT_MODELLED(char *, mktemp, (char *pattern UNUSED))
NOT_MODELLED(char *, realpath, (const char *restrict path UNUSED, char *restrict out UNUSED))
NOT_MODELLED(void *, sbrk, (intptr_t increment UNUSED))

/* ---- syscall: only the futex operations that libstdc++'s atomic waiting uses ---- */
/* A wait with a time limit may end at any time: look once, after every other thread had its chance. */
static int limited_wait(int *address, int value) {
    __rp_yield();
    return __atomic_load_n(address, __ATOMIC_SEQ_CST) == value ? ETIMEDOUT : EAGAIN;
}
MODEL long syscall(long number, ...) {
    va_list args;
    va_start(args, number);
    if (number == SYS_gettid) return gettid();
    if (number == SYS_sched_yield) return sched_yield();
    if (number != SYS_futex) __rp_not_modelled("syscall");
    int *address = va_arg(args, int *);
    int operation = va_arg(args, int) & ~128; /* FUTEX_PRIVATE_FLAG */
    int value = va_arg(args, int);
    void *timeout = va_arg(args, void *);
    va_end(args);
    if (operation == 0 || operation == 9) { /* FUTEX_WAIT, FUTEX_WAIT_BITSET */
        int error = timeout != NULL ? limited_wait(address, value) : __rp_futex_wait(address, value);
        if (error == 0) return 0;
        errno = error;
        return -1;
    }
    if (operation == 10) operation = 1; /* FUTEX_WAKE_BITSET */
    if (operation != 1) __rp_unsupported("a futex operation other than wait and wake");
    return __rp_futex_wake(address, value);
}
