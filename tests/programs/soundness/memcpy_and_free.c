//@ verdict: race
//@ about: once answered wrongly because a copy from a freed object is not recorded before the defect
//@ races: at-least
//@ race: p[*]|*p|p|buf|buf[*]|to = *p 16 27
//@ about: memcpy from an object while another thread frees it
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char *p;
char to[64];

void *work(void *arg)
{
    (void)arg;
    memcpy(to, p, 64);
    return 0;
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
