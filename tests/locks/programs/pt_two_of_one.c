#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x = 1;
static void *serve(void *p) {
    pthread_mutex_lock(&a); //@ superfluous
    pthread_mutex_lock(&b); //@ alternative race
    x = x * 2;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return p;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return x - 4;
}
