// record: race x
// The lock happens to order the two accesses in most runs; another order of the same events does not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *arg) {
    x = 1; //!
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *second(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2; //!
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
