// record: race local
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *arg) {
    int *p = arg;
    *p = 3; //!
    return 0;
}
int main(void) {
    int local = 0;
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &local);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return local != 3;
}
