// record: free
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int x;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *work(void *arg) {
    for (int i = 0; i < 50; i++) {
        pthread_rwlock_rdlock(&l);
        int seen = x;
        pthread_rwlock_unlock(&l);
        pthread_rwlock_wrlock(&l);
        x = seen + 1;
        pthread_rwlock_unlock(&l);
    }
    (void)arg;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
