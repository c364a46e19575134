//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: a region inside of iterations that run at the same time on one thread
#include <stdlib.h>
int main(){ static int z[64];
#pragma omp parallel num_threads(2)
  { int *h=calloc(4,sizeof(int));
#pragma omp for order(concurrent)
    for(int i=0;i<6;i++){
#pragma omp parallel sections num_threads(2)
      {
#pragma omp section
        h[0]=i;
#pragma omp section
        z[i]=i;
      }
    }
    free(h); }
}
