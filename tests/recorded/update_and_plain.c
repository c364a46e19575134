// record: race shared
// An atomic update that another thread reads plainly, as work stealing is often written.
#include <pthread.h>

static long shared;

static void *steals(void *p) {
  for (int i = 0; i < 3; i++) __sync_fetch_and_add(&shared, 1); //!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, steals, 0);
  long seen = shared; //!
  pthread_join(t, 0);
  return seen > 3;
}
