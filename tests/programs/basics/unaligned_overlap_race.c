//@ verdict: race
//@ race: packet.length|packet|raw[1]|raw[*] 16 26
//@ about: accesses of different sizes overlap: an int inside a packed struct and one of its bytes
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static struct __attribute__((packed)) {
    uint8_t tag;
    uint32_t length;
} packet;

static void *writer(void *arg)
{
    (void)arg;
    packet.length = 1500;
    return NULL;
}

int main(void)
{
    unsigned char *raw = (unsigned char *)&packet;
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    raw[0] = 7;
    unsigned low = raw[1];
    pthread_join(t, NULL);
    printf("%u\n", low);
    return 0;
}
