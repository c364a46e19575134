/* libgen.c: parts of a path (POSIX libgen.h). Apart from string.c, whose basename is the GNU one. */
#include "rp.h"
#include <libgen.h>

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != '\0') n++;
    return n;
}
MODEL char *__xpg_basename(char *path) {
    if (path == NULL || *path == '\0') return (char *)".";
    size_t n = length(path);
    while (n > 1 && path[n - 1] == '/') path[--n] = '\0';
    if (n == 1) return path; /* also when it is a single slash */
    while (n > 0 && path[n - 1] != '/') n--;
    return path + n;
}
MODEL char *dirname(char *path) {
    if (path == NULL) return (char *)".";
    size_t n = length(path);
    while (n > 1 && path[n - 1] == '/') n--;
    while (n > 0 && path[n - 1] != '/') n--;
    if (n == 0) return (char *)".";
    while (n > 1 && path[n - 1] == '/') n--;
    path[n] = '\0';
    return path;
}
