//@ verdict: race
//@ races: at-least
//@ about: lgamma stores the sign in signgam (glibc: MT-Unsafe race:signgam)
#define _XOPEN_SOURCE 700
#include <math.h>
#include <pthread.h>
static double in = 0.5;
static void *f(void *p) {
  volatile double c = lgamma(in);
  (void)c;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
