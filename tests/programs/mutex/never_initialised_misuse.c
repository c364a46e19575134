//@ verdict: defect
//@ defect: lock-misuse 15
//@ about: a mutex in heap memory from malloc is locked without having been initialised
#include <pthread.h>
#include <stdlib.h>

struct box {
    int value;
    pthread_mutex_t lock;
};

static void *worker(void *arg)
{
    struct box *b = arg;
    pthread_mutex_lock(&b->lock);
    b->value++;
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

int main(void)
{
    struct box *b = malloc(sizeof *b);
    b->value = 0;
    pthread_t t;
    pthread_create(&t, NULL, worker, b);
    pthread_join(t, NULL);
    free(b);
    return 0;
}
