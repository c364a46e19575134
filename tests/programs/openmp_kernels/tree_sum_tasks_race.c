//@ verdict: race
//@ race: total 33 33
//@ about: the sum over a binary tree by tasks that add to a shared variable
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int v;
    struct tree *left, *right;
};

static long total;

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

static void sum(const struct tree *t)
{
    if (!t)
        return;
#pragma omp task
    sum(t->left);
#pragma omp task
    sum(t->right);
    total += t->v;
}

int main(void)
{
    int next = 0;
    struct tree *t = build(5, &next);
#pragma omp parallel
#pragma omp single
    sum(t);
    printf("%ld\n", total);
    return 0;
}
