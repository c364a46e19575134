//@ verdict: race
//@ race: head 23 25
//@ about: all iterations push onto one list; the old head is read before the lock is taken
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 4

struct node {
    int v;
    struct node *next;
};

int main(void)
{
    struct node *head = NULL;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        omp_set_lock(&lock);
        head = n;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    printf("%d\n", head->v);
    return 0;
}
