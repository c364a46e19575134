//@ verdict: race-free
//@ about: a lock-free stack that never frees its nodes
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct node {
    int v;
    struct node *next;
} node;
static _Atomic(node *) top;
static void push(int v)
{
    node *n = malloc(sizeof *n);
    n->v = v;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release, memory_order_relaxed))
        ;
}
static int pop(int *v)
{
    node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
    if (!n)
        return 0;
    *v = n->v;
    return 1;
}
static void *w(void *a)
{
    push(1);
    int v;
    if (pop(&v))
        *(int *)a = v;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    int x = 0, y = 0;
    pthread_create(&a, 0, w, &x);
    pthread_create(&b, 0, w, &y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", x + y);
}
