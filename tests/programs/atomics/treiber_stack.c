//@ verdict: race-free
//@ about: lock-free push with release, one take-all with acquire
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

static int take_all(void)
{
    int sum = 0;
    struct node *n = atomic_exchange_explicit(&top, NULL, memory_order_acquire);
    while (n) {
        struct node *next = n->next;
        sum += n->value;
        free(n);
        n = next;
    }
    return sum;
}

static void *pusher(void *arg)
{
    push(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 10;
    pthread_create(&a, NULL, pusher, &x);
    pthread_create(&b, NULL, pusher, &y);
    int sum = take_all();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sum += take_all();
    assert(sum == 11);
    return 0;
}
