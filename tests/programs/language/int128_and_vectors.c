//@ verdict: race-free
//@ about: __int128 arithmetic and vector extensions
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
typedef int v4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));

static u128 product;
static v4 lanes;

static void *multiply(void *arg)
{
    uint64_t *ab = arg;
    product = (u128)ab[0] * ab[1];
    return NULL;
}

static void *add_lanes(void *arg)
{
    lanes += *(v4 *)arg;
    return NULL;
}

int main(void)
{
    uint64_t ab[2] = {0xffffffffffffffffull, 0xfffffffffffffffeull};
    v4 ones = {1, 2, 3, 4};
    lanes = (v4){10, 20, 30, 40};
    pthread_t s, t;
    pthread_create(&s, NULL, multiply, ab);
    pthread_create(&t, NULL, add_lanes, &ones);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert((uint64_t)(product >> 64) == 0xfffffffffffffffdull && (uint64_t)product == 2);
    i128 n = -1;
    n *= (i128)1 << 100;
    assert(n < 0 && n / ((i128)1 << 98) == -4 && (n >> 99) == -2);
    assert((int)((product + 5) % 1000007u) >= 0 && product / product == 1);
    assert((double)((u128)1 << 80) == 1208925819614629174706176.0);

    assert(lanes[0] == 11 && lanes[3] == 44);
    v4 w = lanes * 2 - ones;
    assert(w[1] == 42 && (w > 50)[0] == 0 && (w > 50)[2] == -1);
    v4 shuffled = __builtin_shufflevector(w, ones, 3, 0, 4, 7);
    assert(shuffled[0] == 84 && shuffled[1] == 21 && shuffled[2] == 1 && shuffled[3] == 4);
    d2 d = {1.5, -2.5};
    d = d * d + 1;
    assert(d[0] == 3.25 && d[1] == 7.25);
    w[2] = 7;
    assert(w[2] == 7 && (w & 1)[0] == 1 && (w << 1)[2] == 14);
    return 0;
}
