//@ verdict: race-free
//@ about: the functions of string.h and strings.h
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char a[32] = "race", b[32];
    assert(strlen(a) == 4 && strnlen(a, 2) == 2);
    assert(strcpy(b, a) == b && strcmp(a, b) == 0);
    assert(strcat(b, "proof") == b && strcmp(b, "raceproof") == 0);
    assert(strncat(b, " xyz", 2) == b && strcmp(b, "raceproof x") == 0);
    assert(sign(strcmp("abc", "abd")) == -1 && sign(strcmp("b", "abd")) == 1);
    assert(strncmp("abcX", "abcY", 3) == 0 && sign(strncmp("abcX", "abcY", 4)) == -1);
    assert(strcasecmp("RaCe", "rAcE") == 0 && strncasecmp("abX", "ABy", 2) == 0);
    memset(a, 'z', sizeof a);
    assert(strncpy(a, "hi", 5) == a && a[2] == 0 && a[4] == 0 && a[5] == 'z');
    assert(strchr(b, 'p') == b + 4 && strrchr(b, 'o') == b + 7 && strchr(b, '?') == NULL);
    assert(strchr(b, 0) == b + 11 && strchrnul(b, '?') == b + 11);
    assert(strstr(b, "proof") == b + 4 && strstr(b, "") == b && strstr(b, "truth") == NULL);
    assert(strspn("aabbc", "ab") == 4 && strcspn("hello, you", ", ") == 5);
    assert(strpbrk(b, "xyzf") == b + 8);
    assert(memcmp("a\0b", "a\0c", 3) < 0 && memcmp("same", "same", 4) == 0);
    assert(memchr(b, 'e', 3) == NULL && memchr(b, 'e', 4) == b + 3);
    memmove(b + 2, b, 6);
    assert(memcmp(b, "raraceprf x", 8) == 0);
    memmove(b, b + 2, 6);
    assert(memcmp(b, "racepr", 6) == 0);
    assert(memcpy(a, "copy", 5) == a && strcmp(a, "copy") == 0);
    assert((char *)mempcpy(a, "12", 2) == a + 2 && stpcpy(a, "end") == a + 3);
    char line[] = "a,b;;c", *save, *token;
    const char *expect[] = {"a", "b", "c"};
    int n = 0;
    for (token = strtok_r(line, ",;", &save); token; token = strtok_r(NULL, ",;", &save))
        assert(n < 3 && strcmp(token, expect[n++]) == 0);
    assert(n == 3);
    char fields[] = "x::y", *rest = fields;
    assert(strcmp(strsep(&rest, ":"), "x") == 0 && *strsep(&rest, ":") == 0);
    assert(strcmp(strsep(&rest, ":"), "y") == 0 && rest == NULL);
    assert(strlen(strerror(2)) > 0);
    return 0;
}
