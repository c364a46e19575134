/* string_test.c: string.h, strings.h, ctype.h, wchar.h against glibc on many small strings. */
#define _GNU_SOURCE
#include "shim.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

MODELLED(memcpy); MODELLED(mempcpy); MODELLED(memmove); MODELLED(memset); MODELLED(memcmp); MODELLED(memchr);
MODELLED(memrchr); MODELLED(memccpy); MODELLED(memmem); MODELLED(rawmemchr); MODELLED(strlen); MODELLED(strnlen);
MODELLED(strcpy); MODELLED(stpcpy); MODELLED(strcat); MODELLED(strncpy); MODELLED(stpncpy); MODELLED(strncat);
MODELLED(strdup); MODELLED(strndup); MODELLED(strcmp); MODELLED(strncmp); MODELLED(strcasecmp);
MODELLED(strncasecmp); MODELLED(strcoll); MODELLED(strxfrm); MODELLED(strverscmp); MODELLED(strchr);
MODELLED(strrchr); MODELLED(strchrnul); MODELLED(strspn); MODELLED(strcspn); MODELLED(strpbrk); MODELLED(strstr);
MODELLED(strcasestr); MODELLED(strtok); MODELLED(strtok_r); MODELLED(strsep); MODELLED(free); MODELLED(strerror);
MODELLED(swab); MODELLED(ffs); MODELLED(ffsl); MODELLED(ffsll); MODELLED(index); MODELLED(rindex);
MODELLED(mbstowcs); MODELLED(wcstombs); MODELLED(btowc); MODELLED(wctob); MODELLED(wcslen); MODELLED(wcscpy);
MODELLED(wcscmp); MODELLED(wcsstr); MODELLED(wcstok); MODELLED(wcstol); MODELLED(wcstod);
MODELLED(__ctype_b_loc); MODELLED(__ctype_tolower_loc); MODELLED(__ctype_toupper_loc);
extern size_t m_strlcpy(char *, const char *, size_t), m_strlcat(char *, const char *, size_t);

static int sign(int v) { return (v > 0) - (v < 0); }
static const char *const words[] = {"", "a", "b", "ab", "ba", "aab", "abab", "ABab", "a,b;c", ",,a,,b,,", "009", "09",
                                    "9", "10", "010", "a9", "a10", "a09", "a009", "a0090", "x1.2", "x1.10", "hello world", "\x80\xff" "a",
                                    "aaaaaaaaab", "needle in the haystack needle", "000", "00", "0", "01", "001", "a00b", "a0b", "1.0", "1.00"};
enum { WORDS = sizeof words / sizeof *words };

static void pairs(const char *a, const char *b) {
    CHECK(sign(strcmp(a, b)) == sign(m_strcmp(a, b)), "strcmp %s %s", a, b);
    CHECK(sign(strcasecmp(a, b)) == sign(m_strcasecmp(a, b)), "strcasecmp %s %s", a, b);
    CHECK(sign(strcoll(a, b)) == sign(m_strcoll(a, b)), "strcoll %s %s", a, b);
    CHECK(sign(strverscmp(a, b)) == sign(m_strverscmp(a, b)), "strverscmp %s %s: %d, %d", a, b, strverscmp(a, b), m_strverscmp(a, b));
    CHECK(strspn(a, b) == m_strspn(a, b), "strspn %s %s", a, b);
    CHECK(strcspn(a, b) == m_strcspn(a, b), "strcspn %s %s", a, b);
    CHECK(strpbrk(a, b) == m_strpbrk(a, b), "strpbrk %s %s", a, b);
    CHECK(strstr(a, b) == m_strstr(a, b), "strstr %s %s", a, b);
    CHECK(strcasestr(a, b) == m_strcasestr(a, b), "strcasestr %s %s", a, b);
    CHECK(memmem(a, strlen(a), b, strlen(b)) == m_memmem(a, strlen(a), b, strlen(b)), "memmem %s %s", a, b);
    for (size_t n = 0; n < 6; n++) {
        CHECK(sign(strncmp(a, b, n)) == sign(m_strncmp(a, b, n)), "strncmp %s %s %zu", a, b, n);
        CHECK(sign(strncasecmp(a, b, n)) == sign(m_strncasecmp(a, b, n)), "strncasecmp %s %s %zu", a, b, n);
        char x[100], y[100];
        memset(x, '#', sizeof x);
        memset(y, '#', sizeof y);
        strncpy(x, a, n), m_strncpy(y, a, n);
        CHECK(memcmp(x, y, sizeof x) == 0, "strncpy %s %zu", a, n);
        CHECK(stpncpy(x, b, n) - x == m_stpncpy(y, b, n) - y && memcmp(x, y, sizeof x) == 0, "stpncpy %s %zu", b, n);
        strcpy(x, a), strcpy(y, a);
        strncat(x, b, n), m_strncat(y, b, n);
        CHECK(memcmp(x, y, sizeof x) == 0, "strncat %s %s %zu", a, b, n);
        strcpy(y, a);
        size_t r = m_strlcat(y, b, n);
        CHECK(r == strlen(b) + (strlen(a) < n ? strlen(a) : n), "strlcat %s %s %zu gave %zu", a, b, n, r);
        char *d = m_strndup(a, n), *e = strndup(a, n);
        CHECK(strcmp(d, e) == 0, "strndup");
        m_free(d), free(e);
    }
    char x[100] = "", y[100] = "";
    strcpy(x, a), m_strcpy(y, a);
    strcat(x, b), m_strcat(y, b);
    CHECK(strcmp(x, y) == 0, "strcat %s %s", a, b);
    CHECK(m_stpcpy(y, b) == y + strlen(b), "stpcpy");
    char *d = m_strdup(a);
    CHECK(strcmp(d, a) == 0, "strdup");
    m_free(d);
    CHECK(m_strxfrm(y, a, 100) == strlen(a) && strcmp(y, a) == 0, "strxfrm");
    CHECK(m_strlcpy(y, a, 4) == strlen(a) && strncmp(y, a, 3) == 0 && strlen(y) <= 3, "strlcpy %s", a);
}
static void singles(const char *a) {
    CHECK(strlen(a) == m_strlen(a) && strnlen(a, 3) == m_strnlen(a, 3), "strlen %s", a);
    for (int c = 0; c < 128; c++) {
        CHECK(strchr(a, c) == m_strchr(a, c) && index(a, c) == m_index(a, c), "strchr %s %c", a, c);
        CHECK(strrchr(a, c) == m_strrchr(a, c) && rindex(a, c) == m_rindex(a, c), "strrchr %s %c", a, c);
        CHECK(strchrnul(a, c) == m_strchrnul(a, c), "strchrnul %s %c", a, c);
        CHECK(memchr(a, c, strlen(a)) == m_memchr(a, c, strlen(a)), "memchr %s %c", a, c);
        CHECK(memrchr(a, c, strlen(a)) == m_memrchr(a, c, strlen(a)), "memrchr %s %c", a, c);
        char x[64] = "", y[64] = "";
        void *p = memccpy(x, a, c, strlen(a)), *q = m_memccpy(y, a, c, strlen(a));
        CHECK((p == NULL) == (q == NULL) && (p == NULL || (char *)p - x == (char *)q - y) && memcmp(x, y, 64) == 0, "memccpy");
    }
}
static void splitting(const char *text, const char *separators) {
    char x[64], y[64], *p, *q, *rest_x, *rest_y;
    strcpy(x, text), strcpy(y, text);
    p = strtok(x, separators), q = m_strtok(y, separators);
    for (int i = 0; i < 20; i++) {
        CHECK((p == NULL) == (q == NULL) && (p == NULL || (p - x == q - y && strcmp(p, q) == 0)), "strtok \"%s\" \"%s\"", text, separators);
        if (p == NULL || q == NULL) break;
        p = strtok(NULL, separators), q = m_strtok(NULL, separators);
    }
    CHECK(memcmp(x, y, strlen(text)) == 0, "strtok leaves the same bytes");
    strcpy(x, text), strcpy(y, text);
    p = strtok_r(x, separators, &rest_x), q = m_strtok_r(y, separators, &rest_y);
    while (p != NULL && q != NULL) {
        CHECK(strcmp(p, q) == 0, "strtok_r");
        p = strtok_r(NULL, separators, &rest_x), q = m_strtok_r(NULL, separators, &rest_y);
    }
    CHECK(p == NULL && q == NULL, "strtok_r ends");
    strcpy(x, text), strcpy(y, text);
    rest_x = x, rest_y = y;
    do {
        p = strsep(&rest_x, separators), q = m_strsep(&rest_y, separators);
        CHECK((p == NULL) == (q == NULL) && (p == NULL || strcmp(p, q) == 0), "strsep");
    } while (p != NULL && q != NULL);
}
static void classes(void) {
    for (int c = -128; c < 256; c++) {
        CHECK((*__ctype_b_loc())[c] == (*m___ctype_b_loc())[c], "class of %d: %x, %x", c, (*__ctype_b_loc())[c], (*m___ctype_b_loc())[c]);
        CHECK((*__ctype_tolower_loc())[c] == (*m___ctype_tolower_loc())[c], "lower of %d", c);
        CHECK((*__ctype_toupper_loc())[c] == (*m___ctype_toupper_loc())[c], "upper of %d", c);
    }
    extern int m_isalnum(int), m_isalpha(int), m_isdigit(int), m_islower(int), m_isupper(int), m_isspace(int), m_isblank(int),
        m_ispunct(int), m_isprint(int), m_isgraph(int), m_iscntrl(int), m_isxdigit(int), m_tolower(int), m_toupper(int);
    for (int c = -1; c < 256; c++) {
#define SAME(f) CHECK(!f(c) == !m_##f(c), #f " of %d", c)
        SAME(isalnum); SAME(isalpha); SAME(isdigit); SAME(islower); SAME(isupper); SAME(isspace); SAME(isblank);
        SAME(ispunct); SAME(isprint); SAME(isgraph); SAME(iscntrl); SAME(isxdigit);
        CHECK(tolower(c) == m_tolower(c) && toupper(c) == m_toupper(c), "case of %d", c);
    }
    CHECK(ENDING(m_isalpha(1000)) == 3, "ctype misuse");
}
static void wide(void) {
    wchar_t a[64], b[64];
    char x[64], y[64];
    for (int i = 0; i < WORDS; i++) {
        size_t n = mbstowcs(a, words[i], 64), m = m_mbstowcs(b, words[i], 64);
        CHECK(n == m && (n == (size_t)-1 || wcscmp(a, b) == 0), "mbstowcs %s: %zd %zd", words[i], n, m);
        if (n == (size_t)-1) continue;
        CHECK(m_wcslen(a) == n && m_mbstowcs(NULL, words[i], 0) == n, "wcslen");
        CHECK(wcstombs(x, a, 64) == m_wcstombs(y, b, 64) && strcmp(x, y) == 0, "wcstombs");
        wchar_t *p, *q;
        CHECK(wcstol(a, &p, 10) == m_wcstol(a, &q, 10) && p == q, "wcstol");
        CHECK(wcstod(a, &p) == m_wcstod(a, &q) && p == q, "wcstod");
        CHECK(wcsstr(a, L"a") == m_wcsstr(a, L"a"), "wcsstr");
    }
    for (int c = -1; c < 300; c++) CHECK(btowc(c) == m_btowc(c) && wctob(c) == m_wctob(c), "btowc %d", c);
}
int main(void) {
    for (int i = 0; i < WORDS; i++) {
        singles(words[i]);
        for (int j = 0; j < WORDS; j++) pairs(words[i], words[j]);
        splitting(words[i], ",");
        splitting(words[i], ",; ");
        splitting(words[i], "");
    }
    classes();
    wide();
    char buffer[32] = "0123456789", other[32];
    CHECK(ENDING(m_memcpy(buffer + 1, buffer, 5)) == 3, "memcpy with overlap");
    CHECK(ENDING(m_memcpy(buffer + 5, buffer, 5)) == 0, "memcpy of neighbours");
    CHECK(ENDING(m_memcpy(buffer, buffer, 5)) == 0, "memcpy onto itself");
    CHECK(ENDING(m_strcpy(buffer + 2, buffer)) == 3, "strcpy with overlap");
    m_memmove(buffer + 1, buffer, 5);
    CHECK(memcmp(buffer, "00123401234", 6) == 0, "memmove");
    m_memset(buffer, 'x', 3);
    CHECK(memcmp(buffer, "xxx", 3) == 0, "memset");
    swab("abcdef", buffer, 5), m_swab("abcdef", other, 5);
    CHECK(memcmp(buffer, other, 4) == 0, "swab");
    for (long v = -3; v < 70; v++) CHECK(ffs((int)v) == m_ffs((int)v) && ffsll(1ll << (v & 63)) == m_ffsll(1ll << (v & 63)), "ffs");
    for (int e = 0; e < 40; e++) CHECK(strncmp(m_strerror(e), "Unknown", 7) == 0 || strcmp(strerror(e), m_strerror(e)) == 0, "strerror %d %s", e, m_strerror(e));
    CHECK(strcmp(strerror(9999), m_strerror(9999)) == 0, "strerror of an unknown number: %s", m_strerror(9999));
    CHECK(shim_live_objects == 0, "%d objects left over", shim_live_objects);
    return shim_end();
}
