//@ verdict: race
//@ race: *buffer|buffer|heap object from double_free_race.c:19:14 at offset 0 13 13
//@ defect: double-free 13
//@ about: two unordered frees of one object are two conflicting writes
#include <pthread.h>
#include <stdlib.h>

static char *buffer;

static void *cleanup(void *arg)
{
    (void)arg;
    free(buffer);
    return NULL;
}

int main(void)
{
    buffer = malloc(10);
    pthread_t a, b;
    pthread_create(&a, NULL, cleanup, NULL);
    pthread_create(&b, NULL, cleanup, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
