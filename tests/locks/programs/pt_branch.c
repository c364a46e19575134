#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = 1;
static void *serve(void *p) {
    int locked = p != 0;
    if (locked) pthread_mutex_lock(&m); //@ needed race
    x = x + 2;
    if (locked) pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, &x);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
