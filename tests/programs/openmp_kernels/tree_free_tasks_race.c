//@ verdict: race
//@ race: leaf->refs|refs|p->refs 12 12
//@ about: a leaf shared by tasks with a plain reference count
#include <stdlib.h>

struct leaf {
    int refs;
};

static void drop(struct leaf *p)
{
    int left = --p->refs;
    if (left == -100)
        abort();
}

int main(void)
{
    struct leaf *leaf = malloc(sizeof *leaf);
    leaf->refs = 20;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < 20; k++) {
#pragma omp task
        drop(leaf);
    }
    free(leaf);
    return 0;
}
