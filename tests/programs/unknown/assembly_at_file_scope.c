//@ verdict: unknown
//@ reason: assembly at file scope
//@ about: assembly outside of functions could define or change anything
#include <pthread.h>
#include <stddef.h>

__asm__(".globl answer\nanswer: .long 42");

static int x;

static void *worker(void *arg)
{
    (void)arg;
    x = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return x - 1;
}
