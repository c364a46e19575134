/* strerror.c: texts of error and signal numbers (C11 7.24.6.2, POSIX strsignal). The texts are our own short ones for the
 * common numbers and "Unknown error N" otherwise. glibc's strerror is safe to call from two threads; so is this one. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <signal.h>
#include <string.h>

struct text {
    int number;
    const char *text;
};
static const struct text errors[] = {
    {0, "Success"},
    {EPERM, "Operation not permitted"},
    {ENOENT, "No such file or directory"},
    {ESRCH, "No such process"},
    {EINTR, "Interrupted system call"},
    {EIO, "Input/output error"},
    {E2BIG, "Argument list too long"},
    {EBADF, "Bad file descriptor"},
    {ECHILD, "No child processes"},
    {EAGAIN, "Resource temporarily unavailable"},
    {ENOMEM, "Cannot allocate memory"},
    {EACCES, "Permission denied"},
    {EFAULT, "Bad address"},
    {EBUSY, "Device or resource busy"},
    {EEXIST, "File exists"},
    {ENOTDIR, "Not a directory"},
    {EISDIR, "Is a directory"},
    {EINVAL, "Invalid argument"},
    {ENFILE, "Too many open files in system"},
    {EMFILE, "Too many open files"},
    {EFBIG, "File too large"},
    {ENOSPC, "No space left on device"},
    {ESPIPE, "Illegal seek"},
    {EROFS, "Read-only file system"},
    {EPIPE, "Broken pipe"},
    {EDOM, "Numerical argument out of domain"},
    {ERANGE, "Numerical result out of range"},
    {EDEADLK, "Resource deadlock avoided"},
    {ENAMETOOLONG, "File name too long"},
    {ENOSYS, "Function not implemented"},
    {EILSEQ, "Invalid or incomplete multibyte or wide character"},
    {EOVERFLOW, "Value too large for defined data type"},
    {ENOTSUP, "Operation not supported"},
    {ETIMEDOUT, "Connection timed out"},
    {ECANCELED, "Operation canceled"},
};
static const struct text signals[] = {
    {SIGHUP, "Hangup"},           {SIGINT, "Interrupt"},
    {SIGQUIT, "Quit"},            {SIGILL, "Illegal instruction"},
    {SIGTRAP, "Trace/breakpoint trap"}, {SIGABRT, "Aborted"},
    {SIGBUS, "Bus error"},        {SIGFPE, "Floating point exception"},
    {SIGKILL, "Killed"},          {SIGUSR1, "User defined signal 1"},
    {SIGSEGV, "Segmentation fault"}, {SIGUSR2, "User defined signal 2"},
    {SIGPIPE, "Broken pipe"},     {SIGALRM, "Alarm clock"},
    {SIGTERM, "Terminated"},      {SIGCHLD, "Child exited"},
};

static const char *lookup(const struct text *table, size_t n, int number) {
    for (size_t i = 0; i < n; i++)
        if (table[i].number == number) return table[i].text;
    return NULL;
}
/* Writes prefix and number into a buffer that is the thread's own. */
static char *numbered(const char *prefix, int number) {
    static _Thread_local char buffer[48];
    char digits[12];
    size_t n = 0, d = 0;
    while (*prefix != '\0') buffer[n++] = *prefix++;
    unsigned v = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    if (number < 0) buffer[n++] = '-';
    do digits[d++] = (char)('0' + v % 10);
    while ((v /= 10) != 0);
    while (d > 0) buffer[n++] = digits[--d];
    buffer[n] = '\0';
    return buffer;
}
static char *error_text(int number) {
    const char *text = lookup(errors, sizeof errors / sizeof *errors, number);
    return text != NULL ? (char *)text : numbered("Unknown error ", number);
}
MODEL char *strerror(int number) { return error_text(number); }
MODEL char *strerror_l(int number, locale_t l UNUSED) { return error_text(number); }
MODEL const char *strerrordesc_np(int number) { return lookup(errors, sizeof errors / sizeof *errors, number); }
MODEL char *strsignal(int number) {
    const char *text = lookup(signals, sizeof signals / sizeof *signals, number);
    return text != NULL ? (char *)text : numbered("Unknown signal ", number);
}
/* The GNU version of strerror_r returns the text; the POSIX one, under its glibc name, fills the buffer. */
MODEL char *strerror_r(int number, char *buffer UNUSED, size_t n UNUSED) { return error_text(number); }
MODEL int __xpg_strerror_r(int number, char *buffer, size_t n) {
    const char *text = error_text(number);
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < n; i++) buffer[i] = text[i];
    if (n > 0) buffer[i] = '\0';
    return text[i] == '\0' ? 0 : ERANGE;
}
