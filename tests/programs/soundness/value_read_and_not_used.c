//@ verdict: race
//@ race: g 12 22
//@ about: a value that is read into a variable which nobody uses was read all the same
#include <pthread.h>

int g;

void *work(void *arg)
{
    (void)arg;

    g = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);

    /* v is not used */
    int v = g;
    (void)v;
    pthread_join(t, 0);
    return 0;
}
