//@ verdict: race
//@ race: table[0] 12 12
//@ about: two once controls for the same data: the initialiser can run in two threads at a time
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static int table[1];

static void build_table(void)
{
    table[0] = 7;
}

static void *worker(void *arg)
{
    pthread_once(arg, build_table);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &once[0]);
    pthread_create(&b, NULL, worker, &once[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
