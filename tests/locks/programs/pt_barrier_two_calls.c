#include <pthread.h>
pthread_barrier_t b;
int a, c, r;
static void *first(void *p) {
    a = 1;
    pthread_barrier_wait(&b); //@ superfluous
    return p;
}
static void *second(void *p) {
    c = 2;
    pthread_barrier_wait(&b);
    r = c + 1;
    return p;
}
int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return r - 3;
}
