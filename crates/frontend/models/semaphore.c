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

enum { TABLE = 16, NAME = 64 };
struct named {
    sem_t semaphore;
    int uses;   /* opens not yet closed; the slot is free when 0 and unlinked */
    int linked; /* the name still leads here */
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
/* Called with the lock held; returns an errno. */
static int open_locked(const char *name, int flags, unsigned value, struct named **out) {
    struct named *n = find(name);
    if (n != NULL && (flags & O_CREAT) && (flags & O_EXCL)) return EEXIST;
    if (n == NULL) {
        if (!(flags & O_CREAT)) return ENOENT;
        if (value > INT_MAX) return EINVAL;
        n = find_free();
        strcpy(n->name, name);
        n->linked = 1;
        sem_init(&n->semaphore, 0, value);
    }
    n->uses++;
    *out = n;
    return 0;
}
MODEL sem_t *sem_open(const char *name, int flags, ...) {
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list args;
        va_start(args, flags);
        (void)va_arg(args, unsigned); /* the mode */
        value = va_arg(args, unsigned);
        va_end(args);
    }
    if (strlen(name) >= NAME) {
        errno = ENAMETOOLONG;
        return SEM_FAILED;
    }
    struct named *n = NULL;
    pthread_mutex_lock(&lock);
    int error = open_locked(name, flags, value, &n);
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
