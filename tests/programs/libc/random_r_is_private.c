//@ verdict: race-free
//@ about: rand_r keeps its state in the caller's variable; equal seeds give equal sequences
#include <pthread.h>
#include <stdlib.h>

static unsigned draws[2];

static void *draw(void *arg)
{
    unsigned seed = 7;
    *(unsigned *)arg = (unsigned)rand_r(&seed) ^ (unsigned)rand_r(&seed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, draw, &draws[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
