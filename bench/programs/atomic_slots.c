/* THREADS threads take N slots each by an atomic counter, and fill them. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef N
#define N 3
#endif

static atomic_int next;
static int slot[THREADS * N];

static void *work(void *arg) {
  (void)arg;
  for (int i = 0; i < N; i++)
    slot[atomic_fetch_add(&next, 1)] = 1;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
