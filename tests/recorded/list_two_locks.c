// record: free
// Whoever appends reads the end of the list, writes to the node there, and moves the end: the read decides which node that is.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct node {
    struct node *next, *prev;
};
static struct node list = {&list, &list}, x, y;
static int done;
static pthread_mutex_t waiting = PTHREAD_MUTEX_INITIALIZER, ready = PTHREAD_MUTEX_INITIALIZER;
static void append(struct node *n) {
    pthread_mutex_lock(&waiting);
    n->next = &list;
    n->prev = list.prev;
    n->prev->next = n;
    list.prev = n;
    pthread_mutex_unlock(&waiting);
}
static void *poster(void *argument) {
    append(&x);
    usleep(60000);
    pthread_mutex_lock(&ready);
    int again = done;
    pthread_mutex_unlock(&ready);
    if (again) append(&x);
    return argument;
}
static void *worker(void *argument) {
    usleep(20000);
    pthread_mutex_lock(&waiting);
    struct node *n = list.next;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    pthread_mutex_unlock(&waiting);
    if (n != &x) return argument;
    pthread_mutex_lock(&ready);
    n->next = 0;
    done = 1;
    pthread_mutex_unlock(&ready);
    return argument;
}
static void *other(void *argument) {
    usleep(120000);
    append(&y);
    return argument;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, poster, 0);
    pthread_create(&threads[1], 0, worker, 0);
    pthread_create(&threads[2], 0, other, 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    printf("%d\n", done);
    return 0;
}
