// record: race a[
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int a[2], sum[2];
static pthread_barrier_t b;
static void *work(void *arg) {
    long me = (long)arg;
    a[me] = 1; //!
    sum[me] = a[1 - me]; //!
    pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&b, 0, 2);
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
