//@ verdict: defect
//@ undecided: not followed
//@ about: functions at the end of a program whose main left by pthread_exit
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static void h(void) { assert(0); }
static void *f(void *_) { return 0; }
int main(void) { pthread_t t; atexit(h); pthread_create(&t, 0, f, 0); pthread_exit(0); }
