/* ctype.c: character classes of the "C" locale (C11 7.4) and the tables that glibc's headers look into. */
#define _GNU_SOURCE
#include "rp.h"
#include <ctype.h>
#include <locale.h>

#define UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define ALPHA(c) (UPPER(c) || LOWER(c))
#define ALNUM(c) (ALPHA(c) || DIGIT(c))
#define XDIGIT(c) (DIGIT(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define BLANK(c) ((c) == ' ' || (c) == '\t')
#define PRINT(c) ((c) >= 32 && (c) < 127)
#define GRAPH(c) ((c) > 32 && (c) < 127)
#define CNTRL(c) (((c) >= 0 && (c) < 32) || (c) == 127)
#define PUNCT(c) (GRAPH(c) && !ALNUM(c))

#define BITS(c)                                                                                                   \
    ((UPPER(c) ? _ISupper : 0) | (LOWER(c) ? _ISlower : 0) | (ALPHA(c) ? _ISalpha : 0) | (DIGIT(c) ? _ISdigit : 0) | \
     (XDIGIT(c) ? _ISxdigit : 0) | (SPACE(c) ? _ISspace : 0) | (PRINT(c) ? _ISprint : 0) |                        \
     (GRAPH(c) ? _ISgraph : 0) | (BLANK(c) ? _ISblank : 0) | (CNTRL(c) ? _IScntrl : 0) | (PUNCT(c) ? _ISpunct : 0) | \
     (ALNUM(c) ? _ISalnum : 0))
#define TO_LOWER(c) (UPPER(c) ? (c) + 32 : (c))
#define TO_UPPER(c) (LOWER(c) ? (c)-32 : (c))

#define FOUR(f, c) f(c), f((c) + 1), f((c) + 2), f((c) + 3)
#define SIXTEEN(f, c) FOUR(f, c), FOUR(f, (c) + 4), FOUR(f, (c) + 8), FOUR(f, (c) + 12)
#define EACH64(f, c) SIXTEEN(f, c), SIXTEEN(f, (c) + 16), SIXTEEN(f, (c) + 32), SIXTEEN(f, (c) + 48)
/* Indices -128 (a negative char) to 255. */
#define TABLE(f) EACH64(f, -128), EACH64(f, -64), EACH64(f, 0), EACH64(f, 64), EACH64(f, 128), EACH64(f, 192)

/* Outside 0..127 nothing has a class and -128..-2 map like 128..254 (glibc keeps them so for misuse with a plain char). */
#define BYTE(c) ((c) < -1 ? (c) + 256 : (c))
#define LOWER_ENTRY(c) TO_LOWER(BYTE(c))
#define UPPER_ENTRY(c) TO_UPPER(BYTE(c))
static const unsigned short class_table[384] = {TABLE(BITS)};
static const int lower_table[384] = {TABLE(LOWER_ENTRY)};
static const int upper_table[384] = {TABLE(UPPER_ENTRY)};
static const unsigned short *const class_zero = class_table + 128;
static const int *const lower_zero = lower_table + 128;
static const int *const upper_zero = upper_table + 128;

MODEL const unsigned short **__ctype_b_loc(void) {
    USES_LOCALE;
    return (const unsigned short **)&class_zero;
}
MODEL const int **__ctype_tolower_loc(void) {
    USES_LOCALE;
    return (const int **)&lower_zero;
}
MODEL const int **__ctype_toupper_loc(void) {
    USES_LOCALE;
    return (const int **)&upper_zero;
}
MODEL size_t __ctype_get_mb_cur_max(void) { return 1; }

/* C11 7.4 p1: the argument must be an unsigned char or EOF. */
static void check(int c) {
    if (c < -128 || c > 255) __rp_defect(RP_MISUSE, "ctype.h: the argument is not a character");
}
#define CLASS(name, test)                                       \
    MODEL int(name)(int c) {                                    \
        USES_LOCALE;                                            \
        check(c);                                               \
        return test(c);                                         \
    }                                                           \
    MODEL int(name##_l)(int c, locale_t l UNUSED) { return name(c); } \
    MODEL int(__##name##_l)(int c, locale_t l UNUSED) { return name(c); }
#undef isalnum
#undef isalpha
#undef isdigit
#undef islower
#undef isupper
#undef isspace
#undef isblank
#undef ispunct
#undef isprint
#undef isgraph
#undef iscntrl
#undef isxdigit
#undef tolower
#undef toupper
int isalnum(int), isalpha(int), isdigit(int), islower(int), isupper(int), isspace(int), isblank(int), ispunct(int),
    isprint(int), isgraph(int), iscntrl(int), isxdigit(int);
CLASS(isalnum, ALNUM)
CLASS(isalpha, ALPHA)
CLASS(isdigit, DIGIT)
CLASS(islower, LOWER)
CLASS(isupper, UPPER)
CLASS(isspace, SPACE)
CLASS(isblank, BLANK)
CLASS(ispunct, PUNCT)
CLASS(isprint, PRINT)
CLASS(isgraph, GRAPH)
CLASS(iscntrl, CNTRL)
CLASS(isxdigit, XDIGIT)
MODEL int(isascii)(int c) { return c >= 0 && c < 128; }
MODEL int(toascii)(int c) { return c & 127; }
MODEL int(tolower)(int c) {
    USES_LOCALE;
    return TO_LOWER(c);
}
MODEL int(toupper)(int c) {
    USES_LOCALE;
    return TO_UPPER(c);
}
MODEL int(tolower_l)(int c, locale_t l UNUSED) { return TO_LOWER(c); }
MODEL int(toupper_l)(int c, locale_t l UNUSED) { return TO_UPPER(c); }
