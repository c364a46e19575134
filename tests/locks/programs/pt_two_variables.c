#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x = 1, y = 1;
static void *serve(void *p) {
    pthread_mutex_lock(&m); //@ needed race
    x = x * 3;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n); //@ needed race
    y = y * 5;
    pthread_mutex_unlock(&n);
    return p;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
