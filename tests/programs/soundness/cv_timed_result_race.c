//@ verdict: race
//@ races: at-least
//@ about: the time of a wait may be over before the signal comes
#include <pthread.h>
#include <errno.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
int r, d, stop;
static void *a(void *_) {
    int go = 0;
    pthread_mutex_lock(&m); if (!stop) { r = 1; go = 1; pthread_cond_signal(&cv); } pthread_mutex_unlock(&m);
    if (go) d = 1;
    return 0; }
static void *b(void *_) {
    struct timespec t = {1, 0};
    int e = 0;
    pthread_mutex_lock(&m);
    if (!r) e = pthread_cond_timedwait(&cv, &m, &t);
    if (e == ETIMEDOUT) stop = 1;
    pthread_mutex_unlock(&m);
    if (e == ETIMEDOUT) d = 2;
    return 0;
}
int main(void) { pthread_t x, y; pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
