//@ verdict: defect
//@ defect: lock-misuse 11
//@ defect: lock-misuse 17
//@ about: concurrent waits on one condition variable with different mutexes are undefined (POSIX)
#include <pthread.h>
static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int g1, g2;
static void *f(void *p) {
  pthread_mutex_lock(&m1);
  while (!g1) pthread_cond_wait(&c, &m1);
  pthread_mutex_unlock(&m1);
  return p;
}
static void *g(void *p) {
  pthread_mutex_lock(&m2);
  while (!g2) pthread_cond_wait(&c, &m2);
  pthread_mutex_unlock(&m2);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, g, 0);
  pthread_mutex_lock(&m1);
  g1 = 1;
  pthread_mutex_unlock(&m1);
  pthread_mutex_lock(&m2);
  g2 = 1;
  pthread_mutex_unlock(&m2);
  pthread_cond_broadcast(&c);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
