#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;
static void *serve(void *p) {
    pthread_mutex_lock(&m); //@ needed race
    total = total * 2 + 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t[2];
    pthread_mutex_lock(&m); //@ superfluous
    total = 0;
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    pthread_mutex_lock(&m); //@ superfluous
    int r = total;
    pthread_mutex_unlock(&m);
    return r - 3;
}
