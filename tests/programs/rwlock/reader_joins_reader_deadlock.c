//@ verdict: defect
//@ defect: deadlock 21
//@ about: main reads and joins a second reader, who may wait behind a waiting writer
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *w(void *p) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  return p;
}
static void *r(void *p) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0);
  pthread_create(&b, 0, r, 0);
  pthread_rwlock_rdlock(&l);
  pthread_join(b, 0);
  pthread_rwlock_unlock(&l);
  pthread_join(a, 0);
  return 0;
}
