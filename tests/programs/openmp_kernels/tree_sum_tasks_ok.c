//@ verdict: race-free
//@ about: the sum over a binary tree by tasks
#include <assert.h>
#include <stdlib.h>

struct tree {
    int v;
    struct tree *left, *right;
};

static struct tree *build(int depth, int *next)
{
    if (depth == 0)
        return NULL;
    struct tree *t = malloc(sizeof *t);
    t->left = build(depth - 1, next);
    t->v = (*next)++;
    t->right = build(depth - 1, next);
    return t;
}

static long sum(const struct tree *t)
{
    if (!t)
        return 0;
    long l, r;
#pragma omp task shared(l)
    l = sum(t->left);
#pragma omp task shared(r)
    r = sum(t->right);
#pragma omp taskwait
    return l + r + t->v;
}

int main(void)
{
    int next = 0;
    struct tree *t = build(5, &next);
    long s = 0;
#pragma omp parallel
#pragma omp single
    s = sum(t);
    assert(s == 30 * 31 / 2);
    return 0;
}
