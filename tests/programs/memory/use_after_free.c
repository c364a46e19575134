//@ verdict: defect
//@ defect: use-after-free 13
//@ about: a list is walked while its nodes are freed
#include <stdlib.h>

struct node {
    struct node *next;
};

static void destroy(struct node *head)
{
    for (struct node *n = head; n;
         n = n->next)
        free(n);
}

int main(void)
{
    struct node *a = malloc(sizeof *a);
    struct node *b = malloc(sizeof *b);
    a->next = b;
    b->next = NULL;
    destroy(a);
    return 0;
}
