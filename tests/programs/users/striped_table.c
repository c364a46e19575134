//@ verdict: race
//@ race: total 39 39
//@ about: a hash table with striped locks and one total for all stripes
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define S 2
#define BK 8
typedef struct kv {
    uint64_t k;
    int v;
    struct kv *n;
} kv;
static kv *bk[BK];
static pthread_mutex_t lk[S];
static long total;
static uint32_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    return (uint32_t)x;
}
static void add(uint64_t k, int d)
{
    unsigned b = mix(k) % BK;
    pthread_mutex_lock(&lk[b % S]);
    kv *e = bk[b];
    while (e && e->k != k)
        e = e->n;
    if (!e) {
        e = calloc(1, sizeof *e);
        e->k = k;
        e->n = bk[b];
        bk[b] = e;
    }
    e->v += d;
    total += d;
    pthread_mutex_unlock(&lk[b % S]);
}
static void *w(void *a)
{
    for (uint64_t k = 0; k < 3; k++)
        add(k, 1);
    return a;
}
int main(void)
{
    for (int i = 0; i < S; i++)
        pthread_mutex_init(&lk[i], NULL);
    pthread_t a, b;
    pthread_create(&a, 0, w, 0);
    pthread_create(&b, 0, w, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld\n", total);
}
