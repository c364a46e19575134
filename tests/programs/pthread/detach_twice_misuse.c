//@ verdict: defect
//@ defect: misuse 9
//@ about: detach_twice: the id names no joinable thread any more (undefined)
#include <pthread.h>
static void *work(void *arg) { return arg; }
int main(void) {
pthread_t t; pthread_create(&t, 0, work, 0);
pthread_detach(t);
pthread_detach(t);
return 0;
}
