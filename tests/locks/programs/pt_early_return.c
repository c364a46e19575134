#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int left = 1;
static void *take(void *p) {
    pthread_mutex_lock(&m); //@ needed race
    if (left == 0) {
        pthread_mutex_unlock(&m);
        return 0;
    }
    left = left - 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, take, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return left;
}
