//@ verdict: defect
//@ defect: out-of-bounds 16
//@ about: one element more than was allocated for the flexible array member
#include <stdlib.h>

struct vector {
    int n;
    int items[];
};

int main(void)
{
    struct vector *v = malloc(sizeof *v + 3 * sizeof v->items[0]);
    v->n = 3;
    for (int i = 0; i <= v->n; i++)
        v->items[i] = i;
    free(v);
    return 0;
}
