//@ verdict: race-free
//@ about: an input decides which of several safe ways is taken
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int shared[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int kind;

static void *worker(void *arg)
{
    int *mine = &shared[*(int *)arg];
    switch (kind) {
    case 1:
        *mine += 1;
        break;
    case 7:
    case -3:
        pthread_mutex_lock(&m);
        shared[0] += 1;
        pthread_mutex_unlock(&m);
        break;
    default:
        mine[0] = 5;
        break;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    kind = __VERIFIER_nondet_int();
    pthread_create(&a, NULL, worker, &one);
    pthread_create(&b, NULL, worker, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
