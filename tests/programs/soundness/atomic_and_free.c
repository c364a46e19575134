//@ verdict: race
//@ about: once answered wrongly because an atomic access to a freed object is not recorded before the defect
//@ races: at-least
//@ race: *p|p 15 25
//@ about: an atomic access to an object while another thread frees it
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *p;

void *work(void *arg)
{
    (void)arg;
    atomic_store(p, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    atomic_init(p, 0);
    pthread_create(&t, 0, work, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
