//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: a region inside of iterations that run at the same time on one thread
#include <stdlib.h>
int main(){
#pragma omp parallel num_threads(2)
  { int *h=calloc(4,sizeof(int));
#pragma omp for order(concurrent)
    for(int i=0;i<6;i++){
#pragma omp parallel num_threads(1)
      h[0]=i;
    }
    free(h); }
}
