//@ verdict: race-free
//@ about: two threads write different bytes of a union; the word is read after the joins
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    unsigned char bytes[4];
} u;

static void *lower(void *arg)
{
    (void)arg;
    u.bytes[0] = 0x34;
    u.bytes[1] = 0x12;
    return NULL;
}

static void *upper(void *arg)
{
    (void)arg;
    u.bytes[2] = 0xcd;
    u.bytes[3] = 0xab;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, lower, NULL);
    pthread_create(&b, NULL, upper, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(u.word == 0xabcd1234u);
    return 0;
}
