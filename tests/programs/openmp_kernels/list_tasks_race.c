//@ verdict: race
//@ races: at-least
//@ race: n 26 28
//@ about: a task for each node of a linked list; the walking pointer is shared
#include <stdio.h>
#include <stdlib.h>
#define N 60

struct node {
    int in, out;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL, *n;
    for (int i = 0; i < N; i++) {
        n = malloc(sizeof *n);
        n->in = i;
        n->out = 0;
        n->next = head;
        head = n;
    }
#pragma omp parallel shared(n)
#pragma omp single
    for (n = head; n->next; n = n->next) {
#pragma omp task shared(n)
        n->out = 1;
    }
    printf("%d\n", head->out);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
