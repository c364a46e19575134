//@ verdict: defect
//@ defect: use-after-free 18
//@ about: a thread only reads a variable of a function after the mutex under which it reported that it is done
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static int sum;

struct job {
    int *values;
};

static void *work(void *arg) {
    int *values = ((struct job *)arg)->values;
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m), sum = values[1];
    return 0;
}

static void start(pthread_t *t) {
    int values[2] = {1, 2};
    struct job job = {values};
    pthread_create(t, 0, work, &job);
    for (int ready = 0; !ready;) {
        pthread_mutex_lock(&m);
        ready = done;
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t t;
    start(&t);
    pthread_join(t, 0);
    return sum - 2;
}
