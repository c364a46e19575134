// record: deadlock
// Three threads that each take a lock and then the next one's; in this run one after the other.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t fork_of[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int eaten[3];

static void *eats(void *p) {
  long i = (long)p;
  for (volatile int wait = 0; wait < 500000 * i; wait++)
    ;
  pthread_mutex_lock(&fork_of[i]);
  pthread_mutex_lock(&fork_of[(i + 1) % 3]); //!
  eaten[i]++;
  pthread_mutex_unlock(&fork_of[(i + 1) % 3]);
  pthread_mutex_unlock(&fork_of[i]);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, eats, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return eaten[0] + eaten[1] + eaten[2] != 3;
}
