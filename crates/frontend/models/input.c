/* input.c: reading characters, lines and blocks (C11 7.21.7, POSIX). Only standard input can be read, and what it holds is
 * unconstrained. Its end: a character may be EOF, a count may be short; for fgets and getline both outcomes are explored,
 * since they decide what the program does next. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdio.h>
#undef getc
#undef getchar
#undef feof
#undef feof_unlocked
#undef getc_unlocked
#undef getchar_unlocked

static void only_stdin(FILE *f) {
    if (f->_fileno != 0) __rp_unsupported("reading a file (its contents are not known)");
}
/* A number from 0 to most, unconstrained, without a branch. */
static size_t any_count(size_t most) {
    size_t v;
    __rp_havoc(&v, sizeof v);
    return most == SIZE_MAX ? v : v % (most + 1);
}
/* The functions without a lock change the stream, which two threads must not do at once (glibc: race:stream). */
static void change(FILE *f) { f->_IO_read_ptr = NULL; }
static int any_character(void) { return (int)any_count(256) - 1; }

MODEL int fgetc(FILE *f) {
    only_stdin(f);
    return any_character();
}
MODEL int getc(FILE *f) {
    only_stdin(f);
    return any_character();
}
MODEL int _IO_getc(FILE *f) {
    only_stdin(f);
    return any_character();
}
MODEL int getc_unlocked(FILE *f) {
    only_stdin(f);
    change(f);
    return any_character();
}
MODEL int fgetc_unlocked(FILE *f) {
    only_stdin(f);
    change(f);
    return any_character();
}
MODEL int getchar(void) { return any_character(); }
MODEL int getchar_unlocked(void) {
    change(stdin);
    return any_character();
}
/* What is pushed back is not remembered: the next character is unconstrained anyway, and so covers it. */
MODEL int ungetc(int c, FILE *f) {
    only_stdin(f);
    return c;
}
MODEL int feof(FILE *f) { return f->_fileno == 0 && __rp_choose(0, 1) != 0; }
MODEL int feof_unlocked(FILE *f) { return f->_fileno == 0 && __rp_choose(0, 1) != 0; }

/* The line may be any string that fits, so every byte but the last is arbitrary. */
MODEL char *fgets(char *restrict s, int n, FILE *restrict f) {
    only_stdin(f);
    if (n <= 0 || __rp_choose(0, 1) == 0) return NULL;
    __rp_havoc(s, (size_t)n - 1);
    s[n - 1] = '\0';
    return s;
}
MODEL char *fgets_unlocked(char *restrict s, int n, FILE *restrict f) {
    change(f);
    return fgets(s, n, f);
}
MODEL char *gets(char *s UNUSED) { __rp_defect(RP_MISUSE, "gets cannot be used safely: a line may be of any length"); }
MODEL ssize_t getdelim(char **restrict line UNUSED, size_t *restrict n UNUSED, int delimiter UNUSED,
                       FILE *restrict f UNUSED) {
    __rp_unsupported("getline (a line may be of any length)");
}
MODEL ssize_t __getdelim(char **restrict line, size_t *restrict n, int delimiter, FILE *restrict f) {
    return getdelim(line, n, delimiter, f);
}
MODEL ssize_t getline(char **restrict line, size_t *restrict n, FILE *restrict f) {
    return getdelim(line, n, '\n', f);
}
MODEL size_t fread(void *restrict p, size_t size, size_t n, FILE *restrict f) {
    only_stdin(f);
    __rp_havoc(p, size * n);
    return any_count(n);
}
MODEL size_t fread_unlocked(void *restrict p, size_t size, size_t n, FILE *restrict f) {
    change(f);
    return fread(p, size, n, f);
}
