// record: race
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int *shared;
static void *work(void *arg) {
    shared[1] = 5; //!
    return arg;
}
int main(void) {
    pthread_t t;
    shared = malloc(16);
    pthread_create(&t, 0, work, 0);
    // So that the access comes first in this run: one to memory that is gone is taken for another object's.
    usleep(300000);
    free(shared); //!
    pthread_join(t, 0);
    return 0;
}
