#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total = 1;
static int work(int k) { return k * 3; }
static void *serve(void *p) {
    int k = *(int *)p;
    int t, out;
    pthread_mutex_lock(&m); //@ needed race, shrink
    t = work(k);
    total = total * 2 + t;
    out = t + 1;
    pthread_mutex_unlock(&m);
    return out ? p : 0;
}
int main(void) {
    pthread_t t[2];
    int k[2] = {1, 2};
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, serve, &k[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
