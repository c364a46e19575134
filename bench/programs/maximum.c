/* A maximum and where it is, kept by a branch under the lock; the place steers the program afterwards. */
#include <pthread.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef N
#define N 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int best, where, hit[THREADS * N];

static void *work(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < N; i++) {
    int at = me * N + i, value = at * 7 % 5;
    pthread_mutex_lock(&lock);
    if (value > best) {
      best = value;
      where = at;
    }
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  hit[where] = 1;
  return 0;
}
