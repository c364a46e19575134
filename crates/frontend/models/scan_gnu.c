/* scan_gnu.c: the scanf family under its plain names, which headers call in old GNU modes. In a file of its own because
 * the headers rename those names wherever <stdio.h> is read. */
#include "rp.h"

typedef struct _IO_FILE FILE;
int __isoc99_vsscanf(const char *restrict, const char *restrict, va_list);
int __isoc99_vscanf(const char *restrict, va_list);
int __isoc99_vfscanf(FILE *restrict, const char *restrict, va_list);

MODEL int vsscanf(const char *restrict text, const char *restrict format, va_list args) {
    return __isoc99_vsscanf(text, format, args);
}
MODEL int vscanf(const char *restrict format, va_list args) { return __isoc99_vscanf(format, args); }
MODEL int vfscanf(FILE *restrict f, const char *restrict format, va_list args) {
    return __isoc99_vfscanf(f, format, args);
}
MODEL int sscanf(const char *restrict text, const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int n = __isoc99_vsscanf(text, format, args);
    va_end(args);
    return n;
}
MODEL int scanf(const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int n = __isoc99_vscanf(format, args);
    va_end(args);
    return n;
}
MODEL int fscanf(FILE *restrict f, const char *restrict format, ...) {
    va_list args;
    va_start(args, format);
    int n = __isoc99_vfscanf(f, format, args);
    va_end(args);
    return n;
}
