#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int left, right;
static void *move(void *p) {
    pthread_mutex_lock(&m); //@ needed assertion
    left = left + 1;
    right = right - 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, move, 0);
    pthread_mutex_lock(&m); //@ needed assertion
    assert(left + right == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
