/* locale.c: the "C" locale is the only one (C11 7.11). */
#define _GNU_SOURCE
#include "rp.h"
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <string.h>

/* The program's locale. setlocale may race with whatever depends on it (C11 7.11.1.1 p5). */
MODEL int __rp_locale;
MODEL char *setlocale(int category UNUSED, const char *name) {
    if (name == NULL) USES_LOCALE;
    else __rp_locale = 0;
    if (name == NULL || *name == '\0' || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0) return (char *)"C";
    return NULL;
}
static char empty[1] = "";
static char point[2] = ".";
static const struct lconv in_c = {
    .decimal_point = point,      .thousands_sep = empty,       .grouping = empty,
    .int_curr_symbol = empty,    .currency_symbol = empty,     .mon_decimal_point = empty,
    .mon_thousands_sep = empty,  .mon_grouping = empty,        .positive_sign = empty,
    .negative_sign = empty,      .int_frac_digits = CHAR_MAX,  .frac_digits = CHAR_MAX,
    .p_cs_precedes = CHAR_MAX,   .p_sep_by_space = CHAR_MAX,   .n_cs_precedes = CHAR_MAX,
    .n_sep_by_space = CHAR_MAX,  .p_sign_posn = CHAR_MAX,      .n_sign_posn = CHAR_MAX,
    .int_p_cs_precedes = CHAR_MAX, .int_p_sep_by_space = CHAR_MAX, .int_n_cs_precedes = CHAR_MAX,
    .int_n_sep_by_space = CHAR_MAX, .int_p_sign_posn = CHAR_MAX, .int_n_sign_posn = CHAR_MAX,
};
/* Every call fills the same object (glibc: MT-Unsafe race:localeconv). */
static struct lconv conventions;
MODEL struct lconv *localeconv(void) {
    USES_LOCALE;
    conventions = in_c;
    return &conventions;
}

/* A locale_t only has to be a distinct non-null pointer; nothing looks into it. */
static char the_locale[8];
MODEL locale_t newlocale(int mask UNUSED, const char *name UNUSED, locale_t base UNUSED) {
    return (locale_t)(void *)the_locale;
}
MODEL locale_t duplocale(locale_t l) { return l; }
MODEL void freelocale(locale_t l UNUSED) {}
MODEL locale_t uselocale(locale_t l) {
    static _Thread_local locale_t used;
    locale_t before = used ? used : LC_GLOBAL_LOCALE;
    if (l) used = l;
    return before;
}
MODEL locale_t __newlocale(int mask UNUSED, const char *name UNUSED, locale_t base UNUSED) {
    return (locale_t)(void *)the_locale;
}
MODEL locale_t __uselocale(locale_t l UNUSED) { return LC_GLOBAL_LOCALE; }
MODEL char *nl_langinfo(nl_item item) { return item == CODESET ? (char *)"ANSI_X3.4-1968" : empty; }
