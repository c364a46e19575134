// A list that grows at its head without a lock: what one thread finds there belongs to the other.
#include <pthread.h>
#include "pace.h"

struct node { struct node *next; int key, value, weight; };
static struct node nodes[2];
static struct node *head;
static int total[2];

static void *worker(void *argument)
{
    int self = *(int *)argument;
    struct node *mine = &nodes[self];
    mine->key = self;
    mine->value = 10 * self;
    mine->weight = 1;
    mine->next = head; // planted
    head = mine; // planted
    pause_for(3);
    for (struct node *at = head; at; at = at->next) { // planted
        total[self] = total[self] + at->value * at->weight;
        at->weight = at->weight + 1;
        if (at->key == self)
            at->key = -1;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
