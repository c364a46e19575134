//@ verdict: defect
//@ defect: out-of-bounds 14
//@ about: a global array is written before its start
#include <pthread.h>
#include <stddef.h>

static int ring[4];
static int position;

static void *step_back(void *arg)
{
    (void)arg;
    position--;
    ring[position] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, step_back, NULL);
    pthread_join(t, NULL);
    return 0;
}
