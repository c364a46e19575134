//@ verdict: race-free
//@ about: all iterations push onto one list under a lock
#include <omp.h>
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
        omp_set_lock(&lock);
        n->next = head;
        head = n;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    int sum = 0;
    while (head) {
        struct node *next = head->next;
        sum += head->v;
        free(head);
        head = next;
    }
    return sum == N * (N - 1) / 2 ? 0 : 1;
}
