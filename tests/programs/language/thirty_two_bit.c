//@ verdict: race-free
//@ flags: -m32
//@ about: a 32-bit target: sizes, pointer arithmetic, 64-bit arithmetic, threads
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct layout {
    char c;
    long l;
    void *p;
    long long ll;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long long total;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    total += *(long long *)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    assert(sizeof(void *) == 4 && sizeof(long) == 4 && sizeof(size_t) == 4);
    assert(offsetof(struct layout, l) == 4 && offsetof(struct layout, ll) == 12);
    assert((unsigned long)-1 == 0xfffffffful);
    uint64_t big = 0xffffffffull;
    big = big * big + 3;
    assert(big == 0xfffffffe00000004ull && big / 10 == 1844674406511961702ull && big % 10 == 8);
    assert((int64_t)big >> 4 == (int64_t)0xffffffffe0000000ull);
    pthread_t a, b;
    long long x = 5000000000ll, y = -1;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 4999999999ll);
    int items[4] = {0, 1, 2, 3};
    int *p = items;
    p = (int *)((uintptr_t)p + 8);
    assert(*p == 2 && (char *)(p + 1) - (char *)items == 12);
    return 0;
}
