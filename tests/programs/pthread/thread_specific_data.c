//@ verdict: race-free
//@ about: keys hold one value a thread; destructors run at thread exit, before the join returns
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int released[2];

struct scratch {
    int owner;
    int uses;
};

static void release(void *p)
{
    struct scratch *s = p;
    released[s->owner] = s->uses;
    free(s);
}

static void use(void)
{
    struct scratch *s = pthread_getspecific(key);
    s->uses++;
}

static void *worker(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    struct scratch *s = malloc(sizeof *s);
    s->owner = *(int *)arg;
    s->uses = 0;
    assert(pthread_setspecific(key, s) == 0);
    for (int i = 0; i <= s->owner; i++)
        use();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = {0, 1};
    assert(pthread_key_create(&key, release) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(released[0] == 1 && released[1] == 2);
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_key_delete(key) == 0);
    return 0;
}
