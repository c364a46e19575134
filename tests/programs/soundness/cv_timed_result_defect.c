//@ verdict: defect
//@ defect: assertion 17
//@ about: the time of a wait may be over before the signal comes
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
int r;
static void *a(void *_) { pthread_mutex_lock(&m); r = 1; pthread_cond_signal(&cv); pthread_mutex_unlock(&m); return 0; }
static void *b(void *_) {
    struct timespec t = {1, 0};
    int e = 0;
    pthread_mutex_lock(&m);
    if (!r) e = pthread_cond_timedwait(&cv, &m, &t);
    assert(e != ETIMEDOUT || !r);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) { pthread_t x, y; pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0); pthread_join(x, 0); pthread_join(y, 0); return 0; }
