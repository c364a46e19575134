//@ verdict: race
//@ race: head->value|node->value 26 15
//@ about: two threads update a field of the same heap node
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static void *bump_all(void *arg)
{
    for (struct node *node = arg; node; node = node->next)
        node->value += 1;
    return NULL;
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->value = 1;
    head->next = NULL;
    pthread_t t;
    pthread_create(&t, NULL, bump_all, head);
    head->value = 5;
    pthread_join(t, NULL);
    free(head);
    return 0;
}
