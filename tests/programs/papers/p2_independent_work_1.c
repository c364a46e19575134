//@ verdict: race-free
//@ about: Goldilocks, section 7 (from Dwyer and others): two threads each build a list, lock by lock, and walk along it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define LENGTH 4

struct node {
    int value;
    struct node *next;
};

struct list {
    pthread_mutex_t lock;
    struct node *head;
};

static void push(struct list *list, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&list->lock);
    n->next = list->head;
    list->head = n;
    pthread_mutex_unlock(&list->lock);
}

static int sum(struct list *list)
{
    int s = 0;
    pthread_mutex_lock(&list->lock);
    for (struct node *n = list->head; n; n = n->next)
        s += n->value;
    pthread_mutex_unlock(&list->lock);
    return s;
}

static void *work(void *arg)
{
    struct list *list = malloc(sizeof *list);
    (void)arg;
    pthread_mutex_init(&list->lock, NULL);
    list->head = NULL;
    for (int i = 1; i <= LENGTH; i++)
        push(list, i);
    assert(sum(list) == LENGTH * (LENGTH + 1) / 2);
    while (list->head) {
        struct node *n = list->head;
        list->head = n->next;
        free(n);
    }
    pthread_mutex_destroy(&list->lock);
    free(list);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
