//@ verdict: defect
//@ defect: use-after-free 6
//@ about: main's variables end when main leaves by pthread_exit
#include <pthread.h>

static void *work(void *arg) { return *(int *)arg = 1, (void *)0; }

int main(void) {
    pthread_t t;
    int x = 0;
    pthread_create(&t, 0, work, &x);
    pthread_detach(t);
    pthread_exit(0);
}
