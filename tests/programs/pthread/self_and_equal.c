//@ verdict: race-free
//@ about: pthread_self differs between threads and equals the handle that create stored
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t main_thread;
static pthread_t seen[2];

static void *worker(void *arg)
{
    pthread_t *mine = arg;
    *mine = pthread_self();
    assert(!pthread_equal(pthread_self(), main_thread));
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    main_thread = pthread_self();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &seen[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pthread_equal(seen[0], t[0]));
    assert(pthread_equal(seen[1], t[1]));
    assert(!pthread_equal(seen[0], seen[1]));
    assert(pthread_equal(main_thread, pthread_self()));
    return 0;
}
