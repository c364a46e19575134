//@ verdict: race-free
//@ about: Goldilocks, section 7 (from Dwyer and others): main builds two lists, and two threads each walk along one of them
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
    int sum;
};

static struct list *build(int first)
{
    struct list *list = malloc(sizeof *list);
    pthread_mutex_init(&list->lock, NULL);
    list->head = NULL;
    list->sum = 0;
    for (int i = 0; i < LENGTH; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = first + i;
        n->next = list->head;
        list->head = n;
    }
    return list;
}

static void *walk(void *arg)
{
    struct list *list = arg;
    struct node *n = NULL;
    do {
        pthread_mutex_lock(&list->lock);
        n = n ? n->next : list->head;
        if (n)
            list->sum += n->value;
        pthread_mutex_unlock(&list->lock);
    } while (n);
    return NULL;
}

int main(void)
{
    struct list *lists[2] = {build(1), build(10)};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, walk, lists[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(lists[0]->sum == 10 && lists[1]->sum == 46);
    for (int i = 0; i < 2; i++) {
        while (lists[i]->head) {
            struct node *n = lists[i]->head;
            lists[i]->head = n->next;
            free(n);
        }
        free(lists[i]);
    }
    return 0;
}
