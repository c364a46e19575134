//@ verdict: race-free
//@ about: variables of a block and of a function, used by a thread that is joined before they end
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct job {
    atomic_int done;
    int value;
};

static void *work(void *arg) {
    struct job *job = arg;
    atomic_store(&job->done, 1);
    job->value = 3;
    return 0;
}

static int once(void) {
    pthread_t t;
    struct job job = {0, 0};
    pthread_create(&t, 0, work, &job);
    while (!atomic_load(&job.done)) {
    }
    pthread_join(t, 0);
    return job.value;
}

int main(void) {
    int sum = once();
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        struct job job = {0, 0};
        pthread_create(&t, 0, work, &job);
        pthread_join(t, 0);
        sum += job.value;
    }
    assert(sum == 9);
    return 0;
}
