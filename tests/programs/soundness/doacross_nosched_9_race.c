//@ verdict: race
//@ races: at-least
//@ about: without a schedule clause any thread executes any iteration of a doacross nest
#include <omp.h>
int y,a[8];
int main(){ 
#pragma omp parallel num_threads(2)
  {
    a[omp_get_thread_num()]=1;
#pragma omp for ordered(1) nowait
    for(int i=0;i<2;i++) {
#pragma omp ordered depend(sink:i-1)
#pragma omp ordered depend(source)
     a[i]++;
     }
  }
}
