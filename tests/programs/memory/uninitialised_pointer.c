//@ verdict: defect
//@ defect: uninitialised-pointer 15
//@ about: a pointer field of a malloced struct is used before it is set
#include <stdlib.h>

struct list {
    int length;
    int *items;
};

int main(void)
{
    struct list *l = malloc(sizeof *l);
    l->length = 1;
    l->items[0] = 7;
    free(l);
    return 0;
}
