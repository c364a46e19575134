//@ verdict: defect
//@ defect: assertion 24
//@ options: --engine race-graph
//@ about: threads alike whose results differ: any of them can have drawn the first ticket
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int ticket;

static void *work(void *arg)
{
    return (char *)arg + atomic_fetch_add(&ticket, 1);
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, &first), pthread_join(b, &second);
    assert((uintptr_t)first < (uintptr_t)second);
    return 0;
}
