#include <pthread.h>

int hits;

void *serve(void *arg) {
    hits++; // reads hits, adds 1, writes hits: another thread may come between
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
