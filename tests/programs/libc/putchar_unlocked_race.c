//@ verdict: race
//@ races: at-least
//@ about: putchar_unlocked without flockfile (glibc: MT-Unsafe race:stdout)
#include <pthread.h>
#include <stdio.h>
static void *f(void *p) { putchar_unlocked('x'); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
