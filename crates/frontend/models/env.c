/* env.c: the environment (C11 7.22.4.6, POSIX). It starts as the array `environ`, which the machine passes empty, so
 * getenv finds only what the program has set. setenv, unsetenv and putenv change `environ` without a lock, as POSIX allows:
 * calling them while another thread calls getenv is a race, and is seen as one. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *no_variables[1];
MODEL char **environ = no_variables;
MODEL char **__environ = no_variables;
static char **owned; /* the array that we allocated, or null while it is still the first one */

/* The length of name if entry is "name=...", else 0. */
static size_t names(const char *entry, const char *name, size_t n) {
    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}
static char **find(const char *name, size_t n) {
    if (environ == NULL) return NULL;
    for (char **e = environ; *e != NULL; e++)
        if (names(*e, name, n)) return e;
    return NULL;
}
MODEL char *getenv(const char *name) {
    size_t n = strlen(name);
    char **e = find(name, n);
    return e == NULL ? NULL : *e + n + 1;
}
MODEL char *secure_getenv(const char *name) { return getenv(name); }

static void add(char *entry) {
    size_t n = 0;
    while (environ != NULL && environ[n] != NULL) n++;
    char **larger = __rp_alloc((n + 2) * sizeof *larger, 16, 0, RP_MALLOC);
    for (size_t i = 0; i < n; i++) larger[i] = environ[i];
    larger[n] = entry;
    larger[n + 1] = NULL;
    if (owned != NULL && owned == environ) __rp_dealloc(owned, RP_MALLOC);
    owned = environ = larger;
    __environ = larger;
}
static int is_name(const char *name) { return name != NULL && *name != '\0' && strchr(name, '=') == NULL; }

MODEL int setenv(const char *name, const char *value, int overwrite) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t n = strlen(name), v = strlen(value);
    char **old = find(name, n);
    if (old != NULL && !overwrite) return 0;
    char *entry = __rp_alloc(n + v + 2, 16, 0, RP_MALLOC);
    __builtin_memcpy(entry, name, n);
    entry[n] = '=';
    __builtin_memcpy(entry + n + 1, value, v + 1);
    if (old != NULL) *old = entry;
    else add(entry);
    return 0;
}
MODEL int unsetenv(const char *name) {
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t n = strlen(name);
    for (char **e = find(name, n); e != NULL; e = find(name, n)) {
        do e[0] = e[1];
        while (*e++ != NULL);
    }
    return 0;
}
/* The string itself becomes part of the environment (POSIX). */
MODEL int putenv(char *entry) {
    char *equals = strchr(entry, '=');
    if (equals == NULL) return unsetenv(entry);
    char **old = find(entry, (size_t)(equals - entry));
    if (old != NULL) *old = entry;
    else add(entry);
    return 0;
}
MODEL int clearenv(void) {
    environ = __environ = no_variables;
    no_variables[0] = NULL;
    return 0;
}
