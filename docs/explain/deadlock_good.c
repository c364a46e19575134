#include <pthread.h>

pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

void both(void) {
    pthread_mutex_lock(&left); // always left before right
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
}

void *other(void *arg) {
    both();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    both();
    pthread_join(thread, 0);
    return 0;
}
