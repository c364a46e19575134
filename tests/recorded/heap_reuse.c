// record: free
// Memory that one thread frees and another one gets is another object.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) {
    for (int i = 0; i < 200; i++) {
        int *p = malloc(64);
        p[0] = i;
        p[3] = (int)(long)arg;
        free(p);
    }
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
