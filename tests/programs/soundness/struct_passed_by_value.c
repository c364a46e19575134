//@ verdict: race
//@ about: once answered wrongly because passing by value records no read
//@ race: g|g.a|g.a[*] 25 14
//@ about: passing a large struct by value reads it
#include <pthread.h>

struct S { long a[6]; } g;

static long use(struct S s) { return s.a[0]; }

void *writer(void *arg)
{
    (void)arg;
    g.a[3] = 7;
    return 0;
}

long r;

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    /* the call copies g */
    r = use(g);
    pthread_join(t, 0);
    return 0;
}
