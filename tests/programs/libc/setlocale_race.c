//@ verdict: race
//@ races: at-least
//@ about: setlocale changes the locale of the whole program (C11 7.11.1.1p5; glibc: MT-Unsafe)
#include <locale.h>
#include <pthread.h>
static void *f(void *p) {
  setlocale(LC_ALL, "C");
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
