// record: race data
#include <semaphore.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static sem_t full;
int data;
static void *consumer(void *arg) {
    sem_wait(&full);
    printf("%d\n", data); //!
    return arg;
}
int main(void) {
    pthread_t t;
    sem_init(&full, 0, 0);
    pthread_create(&t, 0, consumer, 0);
    sem_post(&full);
    data = 7; //!
    pthread_join(t, 0);
    return 0;
}
