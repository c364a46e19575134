// record: race head->next
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
static void *work(void *arg) {
    struct node *n = malloc(sizeof *n);
    n->value = (int)(long)arg;
    n->next = 0;
    head->next = n; //!
    return 0;
}
int main(void) {
    pthread_t t[2];
    head = malloc(sizeof *head);
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
