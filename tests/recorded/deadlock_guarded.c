// record: free
// Two locks in opposite order, but only under a third one.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, guard = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void take(pthread_mutex_t *one, pthread_mutex_t *other) {
  pthread_mutex_lock(&guard);
  pthread_mutex_lock(one);
  pthread_mutex_lock(other);
  n++;
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
  pthread_mutex_unlock(&guard);
}

static void *first(void *p) {
  take(&a, &b);
  return p;
}

static void *second(void *p) {
  take(&b, &a);
  return p;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, first, 0);
  pthread_create(&y, 0, second, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return n != 2;
}
