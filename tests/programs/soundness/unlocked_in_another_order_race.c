//@ verdict: race
//@ race: x 12 19
//@ about: of two mutexes the one that was locked first is unlocked first, and does not guard what follows
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;
void *first(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&a);
  // Under `b` alone.
  x++;
  pthread_mutex_unlock(&b);
  return 0;
}
void *second(void *p) {
  pthread_mutex_lock(&a);
  // Under `a` alone.
  x++;
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
