//@ verdict: race-free
//@ about: two counts side by side, changed one by one and compared together: who sees both at zero is the last
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static union {
    struct {
        int32_t uses, weak;
    } one;
    int64_t both;
} counts = {{1, 1}};
static int *object;

static void destroy_if_last(void)
{
    if (__atomic_load_n(&counts.both, __ATOMIC_ACQUIRE) == 0 &&
        __atomic_exchange_n(&counts.both, -1, __ATOMIC_ACQ_REL) == 0)
        free(object);
}
static void *weak(void *arg)
{
    object[1] = 2;
    __atomic_fetch_sub(&counts.one.weak, 1, __ATOMIC_ACQ_REL);
    destroy_if_last();
    return arg;
}
int main(void)
{
    pthread_t t;
    object = malloc(2 * sizeof *object);
    pthread_create(&t, 0, weak, 0);
    object[0] = 1;
    __atomic_fetch_sub(&counts.one.uses, 1, __ATOMIC_ACQ_REL);
    destroy_if_last();
    pthread_join(t, 0);
    return 0;
}
