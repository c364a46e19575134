//@ verdict: race
//@ race: live 14 14
//@ about: destructors of thread-specific data run in their own threads and race like any code
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int live = 2;
static int token;

static void at_exit(void *value)
{
    (void)value;
    live--;
}

static void *worker(void *arg)
{
    (void)arg;
    pthread_setspecific(key, &token);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, at_exit);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return live;
}
