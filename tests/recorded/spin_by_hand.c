// record: free
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int x;
atomic_int taken;
static void *work(void *arg) {
    for (int i = 0; i < 20; i++) {
        while (atomic_exchange(&taken, 1)) {}
        x++;
        atomic_store(&taken, 0);
    }
    (void)arg;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
