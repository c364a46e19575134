//@ verdict: defect
//@ fixme: the end of a variable at the end of its block is not seen
//@ about: the end of a variable at the end of its block is not seen
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
