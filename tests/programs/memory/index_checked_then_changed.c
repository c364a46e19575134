//@ verdict: defect
//@ defect: out-of-bounds 25
//@ about: the bound is checked in one critical section and used in another
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define MAX 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[MAX];
static int top = 2;

static bool has_room(void)
{
    pthread_mutex_lock(&lock);
    bool room = top < MAX;
    pthread_mutex_unlock(&lock);
    return room;
}

static void *pusher(void *arg)
{
    if (has_room()) {
        pthread_mutex_lock(&lock);
        stack[top++] = *(int *)arg;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int x = 1, y = 2;
    pthread_create(&a, NULL, pusher, &x);
    pthread_create(&b, NULL, pusher, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
