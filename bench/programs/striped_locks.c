/* A table whose rows are protected by STRIPES locks; THREADS threads add to it N times each. */
#include <pthread.h>
#ifndef THREADS
#define THREADS 8
#endif
#ifndef N
#define N 100
#endif
#define STRIPES 16

static pthread_mutex_t lock[STRIPES];
static long row[8 * STRIPES];

static void *work(void *arg) {
  long me = (long)arg;
  for (long i = 0; i < N; i++) {
    long at = (me * 31 + i * 17) % (8 * STRIPES);
    pthread_mutex_lock(&lock[at % STRIPES]);
    row[at] += i;
    pthread_mutex_unlock(&lock[at % STRIPES]);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init(&lock[i], NULL);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
