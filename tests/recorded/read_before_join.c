// record: race done
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int done;
static void *work(void *arg) {
    done = 1; //!
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int seen = done; //!
    pthread_join(t, 0);
    return seen > 1;
}
