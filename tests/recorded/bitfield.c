// record: race flags
// level: -O0
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct { unsigned a : 1, b : 1; } flags;
static void *work(void *arg) {
    if (arg) flags.a = 1; //!
    else flags.b = 1; //!
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
