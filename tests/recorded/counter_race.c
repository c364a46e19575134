// record: race counter
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int counter;
static void *work(void *arg) {
    counter++; //!
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
