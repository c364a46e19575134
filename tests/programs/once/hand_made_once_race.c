//@ verdict: race
//@ race: initialised 16 18
//@ race: table[0] 17 20
//@ races: at-least
//@ may-race: initialised 18 18
//@ may-race: table[0] 17 17
//@ about: a hand-made once with a plain flag
#include <pthread.h>
#include <stddef.h>

static int initialised;
static int table[1];

static void *worker(void *arg)
{
    if (!initialised) {
        table[0] = 7;
        initialised = 1;
    }
    *(int *)arg = table[0];
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x, y;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
