//@ verdict: race
//@ race: instance 19 24
//@ races: at-least
//@ may-race: instance 28 24
//@ may-race: c->value|storage->value 23 29
//@ about: double-checked initialisation with a plain pointer: pointer and contents race
#include <pthread.h>
#include <stdlib.h>

struct config {
    int value;
};

static struct config *instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get_value(void)
{
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            struct config *storage = malloc(sizeof *storage);
            storage->value = 42;
            instance = storage;
        }
        pthread_mutex_unlock(&lock);
    }
    struct config *c = instance;
    return c->value;
}

static void *worker(void *arg)
{
    *(int *)arg = get_value();
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
