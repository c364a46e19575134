// record: deadlock
// Two locks in opposite order; in this run the second thread comes late.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n, m;

static void *first(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); //!
  n++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}

static void *second(void *p) {
  for (volatile int i = 0; i < 1000000; i++)
    ;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); //!
  m++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, first, 0);
  pthread_create(&y, 0, second, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return n + m != 2;
}
