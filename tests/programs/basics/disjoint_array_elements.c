//@ verdict: race-free
//@ about: threads write different elements of one array; neighbouring chars are different memory locations
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define THREADS 3
static unsigned char seen[THREADS];
static long squares[THREADS];

static void *worker(void *arg)
{
    ptrdiff_t me = (ptrdiff_t)arg;
    seen[me] = 1;
    squares[me] = (long)(me * me);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (ptrdiff_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    long sum = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        assert(seen[i] == 1);
        sum += squares[i];
    }
    assert(sum == 0 + 1 + 4);
    return 0;
}
