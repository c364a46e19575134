#include <pthread.h>
#include <stdatomic.h>

int value = 7;
_Atomic(int *) published;

void *publish(void *arg) {
    atomic_store(&published, &value);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    int *pointer = atomic_load(&published);
    int seen = pointer ? *pointer : 0;
    pthread_join(thread, 0);
    return seen;
}
