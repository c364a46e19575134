/* err.c: messages to standard error that may end the program (BSD err.h, GNU error.h). */
#define _GNU_SOURCE
#include "rp.h"
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MODEL char *program_invocation_name = (char *)"program";
MODEL char *program_invocation_short_name = (char *)"program";
MODEL char *__progname = (char *)"program";
MODEL unsigned error_message_count;

/* "program: text[: error]\n"; no error if it is 0. */
static void say(const char *format, va_list args, int error, int show) {
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format != NULL) vfprintf(stderr, format, args);
    if (show) fprintf(stderr, "%s%s", format != NULL ? ": " : "", strerror(error));
    fprintf(stderr, "\n");
}
MODEL void vwarn(const char *format, va_list args) { say(format, args, errno, 1); }
MODEL void vwarnx(const char *format, va_list args) { say(format, args, 0, 0); }
MODEL _Noreturn void verr(int status, const char *format, va_list args) {
    say(format, args, errno, 1);
    exit(status);
}
MODEL _Noreturn void verrx(int status, const char *format, va_list args) {
    say(format, args, 0, 0);
    exit(status);
}
MODEL void warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vwarn(format, args);
    va_end(args);
}
MODEL void warnx(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vwarnx(format, args);
    va_end(args);
}
MODEL _Noreturn void err(int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    verr(status, format, args);
}
MODEL _Noreturn void errx(int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    verrx(status, format, args);
}
MODEL void error(int status, int number, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args, number, number != 0);
    va_end(args);
    if (status != 0) exit(status);
}
