//@ verdict: race-free
//@ about: recursion over a tree in two threads; results by pthread_join
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct node {
    int v;
    struct node *l, *r;
};
static struct node *insert(struct node *n, int v)
{
    if (!n) {
        n = malloc(sizeof *n);
        n->v = v;
        n->l = n->r = NULL;
        return n;
    }
    if (v < n->v)
        n->l = insert(n->l, v);
    else
        n->r = insert(n->r, v);
    return n;
}
static long sum(const struct node *n)
{
    return n ? n->v + sum(n->l) + sum(n->r) : 0;
}
static void drop(struct node *n)
{
    if (n) {
        drop(n->l);
        drop(n->r);
        free(n);
    }
}
static void *job(void *p)
{
    return (void *)sum(p);
}
int main(void)
{
    struct node *t = NULL;
    int v[] = {5, 2, 8, 1, 9, 3};
    for (int i = 0; i < 6; i++)
        t = insert(t, v[i]);
    pthread_t a, b;
    void *x, *y;
    pthread_create(&a, 0, job, t->l);
    pthread_create(&b, 0, job, t->r);
    pthread_join(a, &x);
    pthread_join(b, &y);
    printf("%ld\n", t->v + (long)x + (long)y);
    drop(t);
}
