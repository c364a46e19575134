//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: two iterations of one thread use its memory, whichever they are
#include <stdlib.h>
int main(){
#pragma omp parallel num_threads(2)
  { int *h=calloc(4,sizeof(int));
#pragma omp for order(concurrent)
    for(int i=0;i<4;i++) h[i/2]=i;
    free(h); }
}
