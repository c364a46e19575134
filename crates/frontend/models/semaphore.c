/* semaphore.c: named semaphores (POSIX sem_open, sem_close, sem_unlink) as a table of at most 16 over the native unnamed
 * ones. A mutex protects the table, as POSIX makes these functions safe to call from any thread. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

enum { TABLE = 16, NAME = NAME_MAX - 3 }; /* glibc puts "sem." before it */
struct named {
    sem_t semaphore;
    int uses;   /* opens not yet closed; the slot is free when 0 and unlinked */
    int linked; /* the name still leads here */
    unsigned mode;
    char name[NAME];
};
static struct named table[TABLE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct named *find(const char *name) {
    for (int i = 0; i < TABLE; i++)
        if (table[i].linked && strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}
static struct named *find_free(void) {
    for (int i = 0; i < TABLE; i++)
        if (!table[i].linked && table[i].uses == 0) return &table[i];
    __rp_unsupported("more than 16 named semaphores");
}
/* Opening needs both permissions of the owner, unless the caller is root. */
static int may_open(const struct named *n) { return (n->mode & 0600) == 0600 || geteuid() == 0; }
/* Called with the lock held; returns an errno. */
static int open_locked(const char *name, int flags, unsigned mode, unsigned value, struct named **out) {
    struct named *n = find(name);
    if (n != NULL && (flags & O_CREAT) && (flags & O_EXCL)) return EEXIST;
    if (n != NULL && !may_open(n)) return EACCES;
    if (n == NULL) {
        if (!(flags & O_CREAT)) return ENOENT;
        if (value > INT_MAX) return EINVAL;
        n = find_free();
        strcpy(n->name, name);
        n->linked = 1;
        n->mode = mode;
        sem_init(&n->semaphore, 0, value);
    }
    n->uses++;
    *out = n;
    return 0;
}
/* As in glibc slashes before a name do not count, and others are not allowed. Returns an errno. */
static int plain_name(const char **name) {
    while (**name == '/') ++*name;
    if (**name == '\0' || strchr(*name, '/') != NULL) return EINVAL;
    return strlen(*name) >= NAME ? ENAMETOOLONG : 0;
}
MODEL sem_t *sem_open(const char *name, int flags, ...) {
    unsigned mode = 0, value = 0;
    if (flags & O_CREAT) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, unsigned);
        value = va_arg(args, unsigned);
        va_end(args);
    }
    int error = plain_name(&name);
    if (error != 0) {
        errno = error;
        return SEM_FAILED;
    }
    struct named *n = NULL;
    pthread_mutex_lock(&lock);
    error = open_locked(name, flags, mode, value, &n);
    pthread_mutex_unlock(&lock);
    if (error == 0) return &n->semaphore;
    errno = error;
    return SEM_FAILED;
}
static void release(struct named *n) {
    if (!n->linked && n->uses == 0) sem_destroy(&n->semaphore);
}
MODEL int sem_close(sem_t *s) {
    struct named *n = (struct named *)(void *)s;
    pthread_mutex_lock(&lock);
    n->uses--;
    release(n);
    pthread_mutex_unlock(&lock);
    return 0;
}
MODEL int sem_unlink(const char *name) {
    int error = plain_name(&name);
    if (error != 0) {
        errno = error == EINVAL ? ENOENT : error;
        return -1;
    }
    pthread_mutex_lock(&lock);
    struct named *n = find(name);
    if (n != NULL) {
        n->linked = 0;
        release(n);
    }
    pthread_mutex_unlock(&lock);
    if (n != NULL) return 0;
    errno = ENOENT;
    return -1;
}
