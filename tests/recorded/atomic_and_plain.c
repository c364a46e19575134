// record: race n
#include <stdatomic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int n;
static void *work(void *arg) {
    if (arg) __atomic_store_n(&n, 1, __ATOMIC_SEQ_CST); //!
    else n = 2; //!
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
