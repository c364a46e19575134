// record: race buffer
#include <string.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
char buffer[64];
static void *work(void *arg) {
    char own[32];
    memset(own, (int)(long)arg, sizeof own);
    memcpy(buffer + 8 * (long)arg, own, 16); //!
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
