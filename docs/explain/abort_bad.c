#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int ready;

void *prepare(void *arg) {
    atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, prepare, 0);
    if (!atomic_load(&ready))
        abort(); // nothing makes the other thread faster than this one
    pthread_join(thread, 0);
    return 0;
}
