/* Each thread waits for the one before it to raise its flag, N times round. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef N
#define N 2
#endif

static atomic_int turn;
static int value;

static void *work(void *arg) {
  int me = (int)(long)arg;
  for (int i = 0; i < N; i++) {
    while (atomic_load(&turn) != me)
      ;
    value++;
    atomic_store(&turn, (me + 1) % THREADS);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return value != THREADS * N;
}
