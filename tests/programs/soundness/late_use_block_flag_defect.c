//@ verdict: defect
//@ defect: use-after-free 15
//@ about: the last access of a thread comes behind the flag on which the owner leaves the variable's block
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

int main(void) {
    pthread_t t;
    {
        struct job job = {0, 0};
        pthread_create(&t, 0, work, &job);
        while (!atomic_load(&job.done)) {
        }
    }
    pthread_join(t, 0);
    return 0;
}
