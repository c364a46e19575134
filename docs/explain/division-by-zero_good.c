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
    int now = atomic_load(&workers);
    int share = now > 0 ? 100 / now : 100;
    pthread_join(thread, 0);
    return share;
}
