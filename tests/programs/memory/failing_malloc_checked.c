//@ verdict: race-free
//@ options: --allocation may-fail
//@ about: with --allocation may-fail everything that allocates can fail, and is checked here
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    errno = 0;
    char *a = malloc(10), *b = strdup("text"), *c = calloc(2, 3);
    void *d = (void *)1;
    if (!a || !b || !c)
        assert(errno == ENOMEM);
    if (a) {
        strcpy(a, "x");
        char *e = realloc(a, 20);
        if (e)
            a = e;
        assert(strcmp(a, "x") == 0);
    }
    int r = posix_memalign(&d, 32, 8);
    assert(r == 0 || (r == ENOMEM && d == (void *)1));
    if (r == 0)
        free(d);
    free(a);
    free(b);
    free(c);
    return 0;
}
