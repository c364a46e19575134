// record: free
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
atomic_int n;
static void *work(void *arg) {
    for (int i = 0; i < 100; i++) atomic_fetch_add(&n, 1);
    (void)arg;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    printf("%d\n", n);
    return 0;
}
