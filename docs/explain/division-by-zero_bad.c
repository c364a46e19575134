#include <pthread.h>
#include <stdatomic.h>

atomic_int workers;

void *work(void *arg) {
    atomic_fetch_add(&workers, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int share = 100 / atomic_load(&workers); // perhaps no worker has started yet
    pthread_join(thread, 0);
    return share;
}
