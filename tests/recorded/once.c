// record: free
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int config, got[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void set(void) { config = 5; }
static void *work(void *arg) {
    pthread_once(&once, set);
    got[(long)arg] = config;
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
