//@ repair new-lock
#include <pthread.h>
int x = 1;
static void *serve(void *p) {
    x = x * 2;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    int y = x;
    pthread_join(t, 0);
    return y == 7;
}
