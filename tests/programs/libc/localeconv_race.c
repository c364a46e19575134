//@ verdict: race
//@ races: at-least
//@ about: localeconv fills one object (C11 7.11.2.1p4; glibc: MT-Unsafe race:localeconv)
#include <locale.h>
#include <pthread.h>
static void *f(void *p) {
  volatile char c = *localeconv()->decimal_point;
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
