// record: free
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int x;
static pthread_spinlock_t l;
static void *work(void *arg) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    (void)arg;
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_spin_init(&l, 0);
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
