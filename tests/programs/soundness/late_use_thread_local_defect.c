//@ verdict: defect
//@ defect: use-after-free 24
//@ about: a thread-local variable ends with its thread, which waits for a flag that is set too early
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int own;
static int *_Atomic shown;
static atomic_int go;

static void *work(void *arg) {
    atomic_store(&shown, &own);
    while (!atomic_load(&go)) {
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int *theirs = 0;
    while (!(theirs = atomic_load(&shown))) {
    }
    atomic_store(&go, 1), *theirs = 1;
    pthread_join(t, 0);
    return 0;
}
