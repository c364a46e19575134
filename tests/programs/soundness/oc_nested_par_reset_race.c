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
#pragma omp parallel for num_threads(2)
      for(int j=0;j<4;j++) z[i*4+j]=1;
      h[0]+=i;
    }
    free(h); }
}
