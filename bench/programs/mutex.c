/* Every thread takes one mutex ROUNDS times and counts: few locks, much contention. */
#include <pthread.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 10
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count[THREADS], total;

static void *work(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    total++;
    count[me]++;
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return total != THREADS * ROUNDS;
}
