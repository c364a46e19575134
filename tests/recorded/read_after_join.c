// record: free
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int part[2];
static void *work(void *arg) {
    part[(long)arg] = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    printf("%d\n", part[0] + part[1]);
    return 0;
}
