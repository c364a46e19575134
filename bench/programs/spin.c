/* A spin lock made of an atomic flag: waiting is a loop over states that repeat. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif

static atomic_int lock;
static int total;

static void *work(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    while (atomic_exchange(&lock, 1))
      ;
    total++;
    atomic_store(&lock, 0);
  }
  return arg;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return total != THREADS * ROUNDS;
}
