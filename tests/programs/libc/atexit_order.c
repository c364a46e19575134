//@ verdict: race-free
//@ about: functions registered with atexit run in reverse order after main
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int steps[3];
static int count;

static void last(void)
{
    steps[count++] = 3;
    assert(steps[0] == 1 && steps[1] == 2 && steps[2] == 3);
}

static void middle(void)
{
    steps[count++] = 2;
}

static void *worker(void *arg)
{
    (void)arg;
    steps[count++] = 1;
    return NULL;
}

int main(void)
{
    assert(atexit(last) == 0 && atexit(middle) == 0);
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    exit(EXIT_SUCCESS);
}
