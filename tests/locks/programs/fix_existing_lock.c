//@ repair existing-lock
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int hits = 1;
static void *serve(void *p) {
    pthread_mutex_lock(&m);
    hits = hits * 2;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    hits = hits + 1;
    pthread_join(t, 0);
    return 0;
}
