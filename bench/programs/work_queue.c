/* THREADS threads take N items from one list. */
#include <pthread.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef N
#define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, done[N];

static void *work(void *arg) {
  (void)arg;
  for (;;) {
    pthread_mutex_lock(&lock);
    int item = next < N ? next++ : -1;
    pthread_mutex_unlock(&lock);
    if (item < 0)
      return NULL;
    done[item] = 1;
  }
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++)
    if (!done[i])
      return 1;
  return 0;
}
