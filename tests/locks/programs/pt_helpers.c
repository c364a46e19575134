#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = 1;
static void enter(void) { pthread_mutex_lock(&m); } //@ needed race
static void leave(void) { pthread_mutex_unlock(&m); }
static void *serve(void *p) {
    enter();
    x = x * 2;
    leave();
    return p;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return x - 4;
}
