// record: race a[7]
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int a[8];
static void *work(void *arg) {
    for (int i = 0; i < 4; i++) a[i + 4 * (long)arg] = i; //!
    a[7] = 1; //!
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
