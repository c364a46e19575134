#include <pthread.h>
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *forth(void *p) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x = x + y;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&gate);
    return p;
}
static void *back(void *p) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    y = y + x;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&gate);
    return p;
}
static void *other(void *p) {
    pthread_mutex_lock(&a);
    x = x + 1;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    y = y + 1;
    pthread_mutex_unlock(&b);
    return p;
}
int main(void) {
    pthread_t s, t, u;
    pthread_create(&s, 0, forth, 0);
    pthread_create(&t, 0, back, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
