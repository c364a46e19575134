//@ verdict: race-free
//@ about: Goldilocks, section 2: swapping two boxes under both locks changes which lock protects which box
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct int_box {
    int x;
};

static struct int_box *a, *b;
static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mb = PTHREAD_MUTEX_INITIALIZER;

static void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&ma);
    a->x++;
    pthread_mutex_unlock(&ma);
    return NULL;
}

static void *t2(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&ma);
    pthread_mutex_lock(&mb);
    struct int_box *tmp = a;
    a = b;
    b = tmp;
    pthread_mutex_unlock(&ma);
    pthread_mutex_unlock(&mb);
    return NULL;
}

static void *t3(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mb);
    b->x++;
    pthread_mutex_unlock(&mb);
    return NULL;
}

int main(void)
{
    a = calloc(1, sizeof *a);
    b = calloc(1, sizeof *b);
    pthread_t t[3];
    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_create(&t[2], NULL, t3, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(a->x + b->x == 2);
    free(a);
    free(b);
    return 0;
}
