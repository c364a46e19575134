//@ verdict: race
//@ race: g|g.b 13 24
//@ about: copying a struct reads all of it, also the members that are not used afterwards
#include <pthread.h>

struct S { int a, b, c; } g;
int got;

void *work(void *arg)
{
    (void)arg;

    g.b = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);


    /* s.b is not used */
    struct S s = g;
    got = s.a;
    pthread_join(t, 0);
    return 0;
}
