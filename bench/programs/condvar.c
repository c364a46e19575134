/* A bounded buffer with two condition variables: THREADS producers and one consumer. */
#include <pthread.h>
#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define ROOM 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[ROOM], used, sum;

static void *producer(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    while (used == ROOM)
      pthread_cond_wait(&not_full, &m);
    buffer[used++] = (int)(long)arg;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

static void *consumer(void *arg) {
  (void)arg;
  for (int i = 0; i < ROUNDS * THREADS; i++) {
    pthread_mutex_lock(&m);
    while (used == 0)
      pthread_cond_wait(&not_empty, &m);
    sum += buffer[--used];
    pthread_cond_broadcast(&not_full);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS + 1];
  pthread_create(&t[THREADS], NULL, consumer, NULL);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, producer, (void *)(i + 1));
  for (int i = 0; i <= THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
