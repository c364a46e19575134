//@ verdict: defect
//@ about: once answered wrongly because a popped stack object aliases the next one at its address
//@ defect: use-after-free 10
//@ about: a thread outlives the local variable it was given; its creator's next call has another variable there
#include <pthread.h>
#include <assert.h>

pthread_t t;

void *w(void *p) { *(int *)p = 1; return 0; }

void start(void)
{
    int x = 0;
    pthread_create(&t, 0, w, &x);
}

void finish(void)
{
    void *result;
    pthread_join(t, &result);
}

int main(void)
{
    start();
    finish();
    return 0;
}
