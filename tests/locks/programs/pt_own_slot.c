#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int slot[3];
static void *serve(void *p) {
    int *mine = p;
    pthread_mutex_lock(&m); //@ superfluous
    *mine = *mine + 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, serve, &slot[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return slot[0] - 1;
}
