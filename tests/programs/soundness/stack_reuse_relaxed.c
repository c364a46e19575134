//@ verdict: defect
//@ defect: use-after-free 14
//@ about: once answered wrongly because histories of a popped stack object count for the next one at its address
//@ about: two variables of different calls that lie at the same place are two variables; but a relaxed flag does not order the
//@ about: write to the first before its end
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
pthread_t t;

void *w(void *p)
{
    *(int *)p = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return 0;
}

void first(void)
{
    int x = 0;
    pthread_create(&t, 0, w, &x);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        ;
}

void *id(void *p) { return p; }

void second(void)
{
    int y = 0;
    pthread_t u;
    pthread_create(&u, 0, id, &y);
    y = 2;
    pthread_join(u, 0);
}

int main(void)
{
    first();
    second();
    pthread_join(t, 0);
    return 0;
}
