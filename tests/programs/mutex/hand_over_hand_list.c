//@ verdict: race-free
//@ about: hand-over-hand locking along a linked list with one lock a node
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

static struct node head;

static void insert(int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    pthread_mutex_init(&fresh->lock, NULL);
    fresh->key = key;
    struct node *prev = &head;
    pthread_mutex_lock(&prev->lock);
    struct node *cur = prev->next;
    while (cur) {
        pthread_mutex_lock(&cur->lock);
        if (cur->key >= key)
            break;
        pthread_mutex_unlock(&prev->lock);
        prev = cur;
        cur = cur->next;
    }
    fresh->next = cur;
    prev->next = fresh;
    if (cur)
        pthread_mutex_unlock(&cur->lock);
    pthread_mutex_unlock(&prev->lock);
}

static void *worker(void *arg)
{
    insert(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_mutex_init(&head.lock, NULL);
    insert(2);
    pthread_t a, b;
    int three = 3, one = 1;
    pthread_create(&a, NULL, worker, &three);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int expect = 1;
    for (struct node *n = head.next; n;) {
        struct node *next = n->next;
        assert(n->key == expect++);
        pthread_mutex_destroy(&n->lock);
        free(n);
        n = next;
    }
    assert(expect == 4);
    return 0;
}
