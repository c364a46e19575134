// record: free
// Threads that nobody joins use the same stack one after the other.
#include <semaphore.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static sem_t done;
static void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }
static void *work(void *arg) {
    int local[100];
    fill(local, 100);
    sem_post(&done);
    return arg;
}
int main(void) {
    sem_init(&done, 0, 0);
    for (int i = 0; i < 20; i++) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_detach(t);
    }
    for (int i = 0; i < 20; i++) sem_wait(&done);
    return 0;
}
