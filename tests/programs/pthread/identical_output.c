//@ verdict: race-free
//@ options: --engine race-graph
//@ about: threads alike take items from a queue; main prints when it has joined one
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ITEMS = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, done[ITEMS];

static void *work(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int item = next < ITEMS ? next++ : -1;
        pthread_mutex_unlock(&lock);
        if (item < 0) return arg;
        done[item]++;
    }
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        printf("%d of %d\n", i + 1, THREADS);
    }
    for (int i = 0; i < ITEMS; i++)
        assert(done[i] == 1);
    return 0;
}
