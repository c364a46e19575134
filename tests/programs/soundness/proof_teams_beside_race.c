//@ verdict: race
//@ race: part[*] 12 12
//@ about: two teams of threads of their own: the numbers that execute their blocks are independent
#include <pthread.h>
#include <omp.h>
int part[2];
void *f(void *a) {
  int o = (int)(long)a;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    part[omp_get_thread_num() ^ o]++;
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, f, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
