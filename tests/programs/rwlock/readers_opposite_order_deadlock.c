//@ verdict: defect
//@ defect: deadlock 10
//@ about: readers take two locks in opposite orders; with a writer waiting for each, the second read locks may wait
#include <pthread.h>
static pthread_rwlock_t l1 = PTHREAD_RWLOCK_INITIALIZER, l2 = PTHREAD_RWLOCK_INITIALIZER;
static void *w1(void *p) { pthread_rwlock_wrlock(&l1); pthread_rwlock_unlock(&l1); return p; }
static void *w2(void *p) { pthread_rwlock_wrlock(&l2); pthread_rwlock_unlock(&l2); return p; }
static void *r(void *p) {
  pthread_rwlock_rdlock(&l2);
  pthread_rwlock_rdlock(&l1);
  pthread_rwlock_unlock(&l1);
  pthread_rwlock_unlock(&l2);
  return p;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, w1, 0);
  pthread_create(&b, 0, w2, 0);
  pthread_create(&c, 0, r, 0);
  pthread_rwlock_rdlock(&l1);
  pthread_rwlock_rdlock(&l2);
  pthread_rwlock_unlock(&l2);
  pthread_rwlock_unlock(&l1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
