/* stdio.c: output streams (C11 7.21, POSIX). POSIX makes every stdio function lock its stream, so two threads that print
 * do not race: a stream here has no mutable state (no buffer, no position, no error flag), only its descriptor, and a word
 * that the functions without a lock write and all others read: only two of the others do not race.
 *
 * Descriptors: 0, 1, 2 are the standard streams; 3 is every file opened for writing, whose bytes __rp_output reads and
 * drops. Files opened for reading are in input.c (they are not supported). Writing always succeeds. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#undef stdin
#undef stdout
#undef stderr
#undef putc
#undef putchar
#undef fputc
#undef fwrite_unlocked

enum { CLOSED = -1 };
static struct _IO_FILE standard[3] = {{._fileno = 0}, {._fileno = 1}, {._fileno = 2}};
MODEL FILE *stdin = &standard[0];
MODEL FILE *stdout = &standard[1];
MODEL FILE *stderr = &standard[2];

/* The descriptor of a stream that a function with a lock uses. */
static int descriptor(FILE *f) {
    if (f->_fileno == CLOSED) __rp_defect(RP_MISUSE, "a stream that was closed is used");
    (void)*(char *volatile *)&f->_IO_write_ptr;
    return f->_fileno;
}

/* ---- opening and closing ---- */

static FILE *open_file(const char *mode) {
    if (mode[0] == 'r') __rp_unsupported("reading a file (its contents are not known)");
    if (mode[0] != 'w' && mode[0] != 'a') {
        errno = EINVAL;
        return NULL;
    }
    FILE *f = __rp_alloc(sizeof *f, 16, 1, RP_MALLOC);
    f->_fileno = 3;
    return f;
}
MODEL FILE *fopen(const char *restrict path, const char *restrict mode) {
    (void)strlen(path);
    return open_file(mode);
}
MODEL FILE *fopen64(const char *restrict path, const char *restrict mode) {
    (void)strlen(path);
    return open_file(mode);
}
MODEL int fclose(FILE *f) {
    if (descriptor(f) > 2) __rp_dealloc(f, RP_MALLOC);
    else f->_fileno = CLOSED;
    return 0;
}
MODEL FILE *fdopen(int fd, const char *mode UNUSED) {
    if (fd < 0 || fd > 2) __rp_unsupported("fdopen of a file");
    return &standard[fd];
}
MODEL FILE *freopen(const char *restrict p UNUSED, const char *restrict m UNUSED, FILE *restrict f UNUSED) {
    __rp_not_modelled("freopen");
}
MODEL FILE *tmpfile(void) { __rp_not_modelled("tmpfile"); }
MODEL char *tmpnam(char *s UNUSED) { __rp_not_modelled("tmpnam"); }
MODEL FILE *popen(const char *c UNUSED, const char *m UNUSED) { __rp_not_modelled("popen"); }
MODEL int pclose(FILE *f UNUSED) { __rp_not_modelled("pclose"); }
MODEL FILE *fmemopen(void *p UNUSED, size_t n UNUSED, const char *m UNUSED) { __rp_not_modelled("fmemopen"); }
MODEL FILE *open_memstream(char **p UNUSED, size_t *n UNUSED) { __rp_not_modelled("open_memstream"); }
MODEL int remove(const char *path UNUSED) { __rp_not_modelled("remove"); }
MODEL int rename(const char *from UNUSED, const char *to UNUSED) { __rp_not_modelled("rename"); }

MODEL int fileno(FILE *f) { return descriptor(f); }
MODEL int fileno_unlocked(FILE *f) { return f->_fileno; }
MODEL int fflush(FILE *f) {
    if (f != NULL) descriptor(f);
    return 0;
}
MODEL int fflush_unlocked(FILE *f) {
    if (f != NULL) f->_IO_write_ptr = NULL;
    return 0;
}
MODEL int fpurge(FILE *f UNUSED) { return 0; }
/* That the stream uses the program's memory would not be seen. */
static void no_buffer(const char *b) {
    if (b != NULL) __rp_unsupported("a buffer of the program's own for a stream (setvbuf)");
}
MODEL int setvbuf(FILE *restrict f UNUSED, char *restrict b, int mode UNUSED, size_t n UNUSED) {
    no_buffer(b);
    return 0;
}
MODEL void setbuf(FILE *restrict f UNUSED, char *restrict b) { no_buffer(b); }
MODEL void setbuffer(FILE *f UNUSED, char *b, size_t n UNUSED) { no_buffer(b); }
MODEL void setlinebuf(FILE *f UNUSED) {}
MODEL int fwide(FILE *f UNUSED, int mode UNUSED) { return -1; }
MODEL void clearerr(FILE *f UNUSED) {}
MODEL int ferror(FILE *f UNUSED) { return 0; }
MODEL int ferror_unlocked(FILE *f UNUSED) { return 0; }
MODEL int fseek(FILE *f UNUSED, long offset UNUSED, int whence UNUSED) { __rp_not_modelled("fseek"); }
MODEL long ftell(FILE *f UNUSED) { __rp_not_modelled("ftell"); }
MODEL void rewind(FILE *f UNUSED) { __rp_not_modelled("rewind"); }
MODEL int fgetpos(FILE *restrict f UNUSED, fpos_t *restrict p UNUSED) { __rp_not_modelled("fgetpos"); }
MODEL int fsetpos(FILE *f UNUSED, const fpos_t *p UNUSED) { __rp_not_modelled("fsetpos"); }

/* flockfile only orders output here; a program that relies on it to protect its own data is not understood. */
MODEL void flockfile(FILE *f UNUSED) { __rp_not_modelled("flockfile"); }
MODEL int ftrylockfile(FILE *f UNUSED) { __rp_not_modelled("ftrylockfile"); }
MODEL void funlockfile(FILE *f UNUSED) { __rp_not_modelled("funlockfile"); }

/* ---- characters and strings ---- */

/* The functions without a lock change the stream, which two threads must not do at once (glibc: race:stream). */
static void change(FILE *f) { f->_IO_write_ptr = NULL; }
static int put(FILE *f, int c) {
    char byte = (char)c;
    __rp_output(descriptor(f), &byte, 1);
    return (unsigned char)c;
}
MODEL int fputc(int c, FILE *f) { return put(f, c); }
MODEL int putc(int c, FILE *f) { return put(f, c); }
MODEL int _IO_putc(int c, FILE *f) { return put(f, c); }
MODEL int putc_unlocked(int c, FILE *f) {
    change(f);
    return put(f, c);
}
MODEL int fputc_unlocked(int c, FILE *f) {
    change(f);
    return put(f, c);
}
MODEL int putchar(int c) { return put(stdout, c); }
MODEL int putchar_unlocked(int c) {
    change(stdout);
    return put(stdout, c);
}
MODEL int putw(int w, FILE *f) {
    __rp_output(descriptor(f), &w, sizeof w);
    return 0;
}
MODEL int puts(const char *s) {
    fputs(s, stdout);
    put(stdout, '\n');
    return 1;
}
MODEL int fputs(const char *restrict s, FILE *restrict f) {
    __rp_output(descriptor(f), s, strlen(s));
    return 1;
}
MODEL int fputs_unlocked(const char *restrict s, FILE *restrict f) {
    change(f);
    __rp_output(descriptor(f), s, strlen(s));
    return 1;
}
MODEL size_t fwrite(const void *restrict p, size_t size, size_t n, FILE *restrict f) {
    if (size == 0) return 0;
    __rp_output(descriptor(f), p, size * n);
    return n;
}
MODEL size_t fwrite_unlocked(const void *restrict p, size_t size, size_t n, FILE *restrict f) {
    change(f);
    if (size == 0) return 0;
    __rp_output(descriptor(f), p, size * n);
    return n;
}
MODEL void perror(const char *s) {
    const char *text = strerror(errno);
    if (s != NULL && *s != '\0') {
        fputs(s, stderr);
        fputs(": ", stderr);
    }
    fputs(text, stderr);
    put(stderr, '\n');
}

/* ---- formatted output: to a stream, to memory, to an allocated string ---- */

static int to_fd(int fd, const char *format, va_list args) {
    struct rp_sink sink = {fd, NULL, 0, NULL};
    return __rp_vformat(&sink, format, args);
}
static int to_memory(char *out, size_t size, const char *format, va_list args) {
    struct rp_sink sink = {-1, out, size > 0 ? size - 1 : 0, out};
    int n = __rp_vformat(&sink, format, args);
    if (size > 0) *sink.out = '\0';
    return n;
}
static int to_allocated(char **out, const char *format, va_list args) {
    struct rp_sink nowhere = {-2, NULL, 0, NULL};
    int n = __rp_vformat(&nowhere, format, args);
    if (n < 0) return n;
    *out = __rp_try_alloc((size_t)n + 1, 16, 0);
    if (*out == NULL) return -1;
    return to_memory(*out, (size_t)n + 1, format, args);
}

/* Defines name(parameters, ...) and vname(parameters, va_list) that return `call`, an expression over format and args. */
#define PRINTF(name, parameters, call)                   \
    MODEL int v##name(parameters, const char *restrict format, va_list args) { return call; } \
    MODEL int name(parameters, const char *restrict format, ...) {                            \
        va_list args;                                    \
        va_start(args, format);                          \
        int n = call;                                    \
        va_end(args);                                    \
        return n;                                        \
    }
#define COMMA ,
PRINTF(fprintf, FILE *restrict f, to_fd(descriptor(f), format, args))
PRINTF(dprintf, int fd, to_fd(fd, format, args))
PRINTF(sprintf, char *restrict out, to_memory(out, SIZE_MAX, format, args))
PRINTF(snprintf, char *restrict out COMMA size_t size, to_memory(out, size, format, args))
PRINTF(asprintf, char **restrict out, to_allocated(out, format, args))

MODEL int vprintf(const char *restrict format, va_list args) { return to_fd(descriptor(stdout), format, args); }
MODEL int printf(const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int n = to_fd(descriptor(stdout), format, args);
    va_end(args);
    return n;
}

/* ---- what _FORTIFY_SOURCE turns these calls into ---- */

#define PRINTF_CHK(name, vname, parameters, call)                                                            \
    MODEL int vname(parameters, const char *restrict format, va_list args) { return call; }                  \
    MODEL int name(parameters, const char *restrict format, ...) {                                           \
        va_list args;                                                                                        \
        va_start(args, format);                                                                              \
        int n = call;                                                                                        \
        va_end(args);                                                                                        \
        return n;                                                                                            \
    }
static int to_checked(char *out, size_t size, size_t object, const char *format, va_list args) {
    if (size != SIZE_MAX && size > object) __rp_defect(RP_MISUSE, "snprintf: the size exceeds the buffer's");
    return to_memory(out, size, format, args);
}
PRINTF_CHK(__printf_chk, __vprintf_chk, int flag UNUSED, to_fd(descriptor(stdout), format, args))
PRINTF_CHK(__fprintf_chk, __vfprintf_chk, FILE *restrict f COMMA int flag UNUSED, to_fd(descriptor(f), format, args))
PRINTF_CHK(__dprintf_chk, __vdprintf_chk, int fd COMMA int flag UNUSED, to_fd(fd, format, args))
PRINTF_CHK(__sprintf_chk, __vsprintf_chk, char *restrict out COMMA int flag UNUSED COMMA size_t object,
           to_checked(out, SIZE_MAX, object, format, args))
PRINTF_CHK(__snprintf_chk, __vsnprintf_chk, char *restrict out COMMA size_t size COMMA int flag UNUSED COMMA size_t object,
           to_checked(out, size, object, format, args))
PRINTF_CHK(__asprintf_chk, __vasprintf_chk, char **restrict out COMMA int flag UNUSED, to_allocated(out, format, args))
