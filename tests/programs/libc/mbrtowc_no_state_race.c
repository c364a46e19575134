//@ verdict: race
//@ races: at-least
//@ about: mbrtowc with a null state uses one of its own (C11 7.29.6.3p1; glibc: race:mbrtowc/!ps)
#include <pthread.h>
#include <wchar.h>
static void *f(void *p) { wchar_t w; volatile int n = (int)mbrtowc(&w, "a", 1, 0); (void)n; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  f(0);
  pthread_join(t, 0);
  return 0;
}
