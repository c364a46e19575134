//@ verdict: race-free
//@ about: malloc, calloc, realloc, aligned_alloc, alloca; a leak is no defect
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int *leaked;

static void *worker(void *arg)
{
    int *z = calloc(4, sizeof *z);
    assert(z[0] == 0 && z[3] == 0);
    z[3] = 8;
    z = realloc(z, 100 * sizeof *z);
    assert(z[0] == 0 && z[3] == 8);
    z = realloc(z, 4 * sizeof *z);
    assert(z[3] == 8);
    free(z);
    free(NULL);
    int *fresh = realloc(NULL, sizeof *fresh);
    *fresh = 1;
    free(fresh);
    char *a = aligned_alloc(64, 128);
    assert((uintptr_t)a % 64 == 0);
    memset(a, 1, 128);
    free(a);
    void *p = NULL;
    assert(posix_memalign(&p, 32, 10) == 0 && (uintptr_t)p % 32 == 0);
    free(p);
    char *s = alloca(8);
    strcpy(s, "seven77");
    assert(strlen(s) == 7);
    char *d = strdup(s);
    assert(d != s && strcmp(d, s) == 0);
    free(d);
    (void)arg;
    return NULL;
}

int main(void)
{
    leaked = malloc(sizeof *leaked);
    *leaked = 3;
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    worker(NULL);
    pthread_join(t, NULL);
    return 0;
}
