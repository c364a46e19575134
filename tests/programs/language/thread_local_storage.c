//@ verdict: race-free
//@ about: _Thread_local variables: one initialised copy a thread, static locals with and without it
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

static _Thread_local int depth = 5;
static __thread char name[4] = "abc";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int count_own(void)
{
    static thread_local int calls = 10;
    return ++calls;
}

static int count_all(void)
{
    static int calls;
    pthread_mutex_lock(&lock);
    int n = ++calls;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *worker(void *arg)
{
    assert(depth == 5 && name[0] == 'a');
    depth += *(int *)arg;
    name[0] = 'x';
    count_own();
    count_all();
    assert(count_own() == 12);
    *(int *)arg = depth;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 2;
    depth = 100;
    count_own();
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, &y);
    name[1] = 'y';
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 6 && y == 7 && depth == 100);
    assert(name[0] == 'a' && name[1] == 'y');
    assert(count_own() == 12 && count_all() == 3);
    return 0;
}
