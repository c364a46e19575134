//@ verdict: race
//@ about: once answered wrongly because realloc of a freed object is not recorded before the defect
//@ races: at-least
//@ race: *p|p|p[*]|heap object from realloc_and_free.c:20:9 at offset 0 13 22
//@ about: one thread resizes an object while another frees it
#include <pthread.h>
#include <stdlib.h>

char *p, *q;

void *work(void *arg)
{
    q = realloc(p, 128);
    return arg;
}

int main(void)
{
    pthread_t t;
    p = calloc(1, 64);
    pthread_create(&t, 0, work, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
