//@ verdict: race-free
//@ about: a task for each node of a linked list
#include <assert.h>
#include <stdlib.h>
#define N 60

struct node {
    int in, out;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < N; i++) {
        struct node *n = malloc(sizeof *n);
        n->in = i;
        n->out = 0;
        n->next = head;
        head = n;
    }
#pragma omp parallel
#pragma omp single
    for (struct node *n = head; n; n = n->next) {
#pragma omp task firstprivate(n)
        n->out = n->in * n->in;
    }
    while (head) {
        struct node *next = head->next;
        assert(head->out == head->in * head->in);
        free(head);
        head = next;
    }
    return 0;
}
