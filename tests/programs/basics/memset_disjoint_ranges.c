//@ verdict: race-free
//@ about: two memsets of neighbouring ranges do not overlap
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[32];

static void *fill_tail(void *arg)
{
    (void)arg;
    memset(buffer + 15, 'z', 17);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, fill_tail, NULL);
    memset(buffer, 'a', 15);
    pthread_join(t, NULL);
    assert(buffer[0] == 'a' && buffer[14] == 'a' && buffer[15] == 'z' && buffer[31] == 'z');
    return 0;
}
