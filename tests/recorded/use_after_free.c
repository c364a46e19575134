// record: race
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int *shared;
static void *work(void *arg) {
    shared[1] = 5; //! (before or after the free)
    return arg;
}
int main(void) {
    pthread_t t;
    shared = malloc(16);
    pthread_create(&t, 0, work, 0);
    free(shared); //!
    pthread_join(t, 0);
    return 0;
}
