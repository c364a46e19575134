//@ verdict: race
//@ race: u|u.word|u.bytes[3] 16 24
//@ about: the members of a union overlap
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static union {
    uint32_t word;
    unsigned char bytes[4];
} u;

static void *writer(void *arg)
{
    (void)arg;
    u.word = 0x01020304u;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    unsigned char top = u.bytes[3];
    pthread_join(t, NULL);
    printf("%u\n", top);
    return 0;
}
