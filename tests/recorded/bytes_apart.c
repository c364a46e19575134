// record: free
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
char box[2];
static void *work(void *arg) {
    box[(long)arg] = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
