//@ verdict: race
//@ races: at-least
//@ about: mbtowc keeps a state of its own (C11 7.22.7p1; glibc: MT-Unsafe race)
#include <pthread.h>
#include <stdlib.h>
static void *f(void *p) {
  wchar_t w;
  volatile int n = mbtowc(&w, "a", 1);
  (void)n;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
