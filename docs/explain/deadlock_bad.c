#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

void *other(void *arg) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left); // the other way round than main
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    pthread_join(thread, 0);
    return 0;
}
