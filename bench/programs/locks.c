/* Every thread goes round a ring of mutexes, holding two at a time, in the order of their numbers. */
#include <pthread.h>
#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef LOCKS
#define LOCKS 4
#endif

static pthread_mutex_t m[LOCKS];
static int data[LOCKS];

static void *work(void *arg) {
  int at = (int)(long)arg % LOCKS;
  for (int i = 0; i < ROUNDS; i++) {
    int next = (at + 1) % LOCKS;
    int low = at < next ? at : next, high = at < next ? next : at;
    pthread_mutex_lock(&m[low]);
    pthread_mutex_lock(&m[high]);
    data[low]++;
    data[high]--;
    pthread_mutex_unlock(&m[high]);
    pthread_mutex_unlock(&m[low]);
    at = next;
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < LOCKS; i++)
    pthread_mutex_init(&m[i], NULL);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}
