//@ verdict: defect
//@ defect: use-after-free 7
//@ about: a variable whose block has ended
#include <pthread.h>
#include <semaphore.h>
sem_t go;
static void *f(void *p) { sem_wait(&go); *(int *)p = 1; return 0; }
int main(void) {
    pthread_t t;
    sem_init(&go, 0, 0);
    { int v = 0; pthread_create(&t, 0, f, &v); }
    sem_post(&go);
    pthread_join(t, 0);
    return 0;
}
