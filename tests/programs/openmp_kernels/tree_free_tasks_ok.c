//@ verdict: race-free
//@ about: a tree is released by tasks: a node after its children
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
};

static struct tree *build(int depth)
{
    if (depth == 0)
        return NULL;
    struct tree *t = malloc(sizeof *t);
    t->left = build(depth - 1);
    t->right = build(depth - 1);
    return t;
}

static void drop(struct tree *t)
{
    if (!t)
        return;
#pragma omp task
    drop(t->left);
#pragma omp task
    drop(t->right);
#pragma omp taskwait
    free(t);
}

int main(void)
{
    struct tree *t = build(4);
#pragma omp parallel
#pragma omp single
    drop(t);
    return 0;
}
