#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int limits[2] = {3, 4}, got[2];
static void *serve(void *p) {
    int i = *(int *)p;
    pthread_mutex_lock(&m); //@ superfluous
    int limit = limits[i];
    pthread_mutex_unlock(&m);
    got[i] = limit;
    return 0;
}
int main(void) {
    pthread_t t[2];
    int k[2] = {0, 1};
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, &k[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return got[0] + got[1] - 7;
}
