// record: free
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int data;
atomic_int flag;
static void *reader(void *arg) {
    while (!atomic_load_explicit(&flag, memory_order_acquire)) {}
    printf("%d\n", data);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(t, 0);
    return 0;
}
