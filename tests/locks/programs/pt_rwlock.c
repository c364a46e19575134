#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, got;
static void *reader(void *p) {
    pthread_rwlock_rdlock(&l); //@ needed race
    got = x;
    pthread_rwlock_unlock(&l);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    pthread_rwlock_wrlock(&l); //@ needed race
    x = 3;
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
