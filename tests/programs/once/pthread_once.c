//@ verdict: race-free
//@ about: pthread_once runs the initialiser once and orders it before every return
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[3];
static int runs;

static void build_table(void)
{
    runs++;
    for (int i = 0; i < 3; i++)
        table[i] = i * 100;
}

static void *worker(void *arg)
{
    pthread_once(&once, build_table);
    *(int *)arg = table[2];
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
    assert(x == 200 && y == 200 && runs == 1);
    return 0;
}
