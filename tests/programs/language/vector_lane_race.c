//@ verdict: race
//@ race: lanes|lanes[*] 13 22
//@ about: writing one lane of a shared vector conflicts with reading the whole vector
#include <pthread.h>
#include <stddef.h>

typedef int v4 __attribute__((vector_size(16)));

static v4 lanes;

static void *worker(void *arg)
{
    lanes[2] = *(int *)arg;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int n = 5;
    pthread_create(&t, NULL, worker, &n);
    v4 copy = lanes;
    pthread_join(t, NULL);
    return copy[2] == 0 || copy[2] == 5 ? 0 : 1;
}
