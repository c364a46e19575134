//@ verdict: race
//@ race: buffer|buffer[*] 12 21
//@ about: memset over a range that contains the byte another thread writes
#include <pthread.h>
#include <string.h>

static char buffer[32];

static void *clear_tail(void *arg)
{
    (void)arg;
    memset(buffer + 16, 0, 16);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clear_tail, NULL);
    buffer[15] = 'a';
    buffer[16] = 'b';
    pthread_join(t, NULL);
    return 0;
}
