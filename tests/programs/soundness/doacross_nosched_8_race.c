//@ verdict: race
//@ races: at-least
//@ about: without a schedule clause any thread executes any iteration of a doacross nest
#include <omp.h>
int s[2]; 
int main(){ 
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(1) nowait
    for(int i=0;i<4;i++) {
#pragma omp ordered depend(sink:i-1)
#pragma omp ordered depend(source)
     s[i%2]+=i;
     }
  }
}
