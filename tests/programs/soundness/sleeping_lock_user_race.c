//@ verdict: race
//@ race: *h 21 14
//@ defect: use-after-free 14
//@ about: a sleeping thread whose lock or semaphore others touch
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
int raceproof_range(int, int);
pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER, k2 = PTHREAD_MUTEX_INITIALIZER, *h;
sem_t s;
int v, w;
static void *a(void *_) {
    sem_wait(&s); sem_post(&s);
    if (v == 100 && w == 100) { pthread_mutex_lock(h); pthread_mutex_unlock(h); }
    return 0;
}
static void *b(void *_) {
    sem_wait(&s); sem_post(&s);
    if (v == 100 && w == 100) {
        pthread_mutex_lock(&k); pthread_mutex_unlock(&k);
        free(h);
        pthread_mutex_lock(&k2); pthread_mutex_unlock(&k2);
    }
    return 0;
}
int main(void) {
    pthread_t x, y;
    v = raceproof_range(0, 150); w = raceproof_range(0, 150);
    sem_init(&s, 0, 1);
    h = malloc(sizeof *h); pthread_mutex_init(h, 0);
    pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);
    pthread_join(x, 0); pthread_join(y, 0);
    return 0;
}
