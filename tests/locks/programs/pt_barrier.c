#include <pthread.h>
pthread_barrier_t b;
int a[2], r[2];
static void *serve(void *p) {
    int i = *(int *)p;
    a[i] = i + 1;
    pthread_barrier_wait(&b); //@ needed race
    r[i] = a[1 - i];
    return 0;
}
int main(void) {
    pthread_t t[2];
    int k[2] = {0, 1};
    pthread_barrier_init(&b, 0, 2);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, &k[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return r[0] - 2;
}
