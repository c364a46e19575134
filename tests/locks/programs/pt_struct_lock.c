// A lock in a structure, taken in a nested function while its caller holds another.
#include <pthread.h>
struct box {
    pthread_mutex_t lock;
    int value;
};
static struct box box = {PTHREAD_MUTEX_INITIALIZER, 0};
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static void put(struct box *b, int v) {
    pthread_mutex_lock(&b->lock); //@ superfluous
    b->value += v;
    pthread_mutex_unlock(&b->lock);
}
static void *work(void *p) {
    pthread_mutex_lock(&big); //@ alternative race
    put(&box, (int)(long)p);
    pthread_mutex_unlock(&big);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)1);
    pthread_create(&b, 0, work, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return box.value;
}
