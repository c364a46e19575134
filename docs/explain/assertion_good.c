#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int seats = 1;

void *book(void *arg) {
    int seen = atomic_load(&seats);
    while (seen > 0 && !atomic_compare_exchange_strong(&seats, &seen, seen - 1))
        ; // somebody else was faster: look again
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, book, 0);
    book(0);
    pthread_join(thread, 0);
    assert(atomic_load(&seats) >= 0);
    return 0;
}
