//@ verdict: race-free
//@ about: a start gate opened by broadcast; all waiters pass
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate = PTHREAD_COND_INITIALIZER;
static bool open;
static int passed;

static void *runner(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&gate, &lock);
    passed++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, runner, NULL);
    pthread_mutex_lock(&lock);
    open = true;
    pthread_cond_broadcast(&gate);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(passed == 2);
    assert(pthread_cond_destroy(&gate) == 0);
    return 0;
}
