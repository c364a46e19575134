#include <pthread.h>

int hits;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *serve(void *arg) {
    pthread_mutex_lock(&lock); // every access to hits holds this lock
    hits++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, serve, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
