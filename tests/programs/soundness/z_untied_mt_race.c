//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: an untied taskloop may be resumed by another thread
#include <omp.h>
int slot[2];
int main(){
#pragma omp parallel master taskloop untied num_tasks(2) num_threads(2)
  for(int i=0;i<2;i++){ int t=omp_get_thread_num();
#pragma omp task
   { }
#pragma omp taskwait
   slot[t]++; }
}
