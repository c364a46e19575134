#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int seats = 1;

void *book(void *arg) {
    if (atomic_load(&seats) > 0)
        atomic_fetch_sub(&seats, 1); // both threads may have seen the one seat
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
