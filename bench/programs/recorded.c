/* Loads and stores while another thread lives: every access to the array is recorded in the thread's history. */
#include <pthread.h>
#ifndef N
#define N 200
#endif
#define LENGTH 4096

static int a[LENGTH];

static void *work(void *arg) {
  long sum = 0;
  for (int round = 0; round < N; round++)
    for (int i = 1; i < LENGTH; i++) {
      a[i] = a[i] + a[i - 1];
      sum += a[i];
    }
  return sum == 7 ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
