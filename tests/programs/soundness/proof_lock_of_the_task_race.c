//@ verdict: race
//@ race: x 8 8
//@ about: each task locks a mutex of its own.
#include <pthread.h>
int x;
static void f(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    f();
#pragma omp task
    f();
  }
}
