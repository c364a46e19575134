//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
#include <stdlib.h>
int main(){
#pragma omp parallel num_threads(2)
 { int *h=malloc(4);
#pragma omp for simd collapse(2)
 for(int i=0;i<2;i++) for(int j=0;j<2;j++) *h=i;
 free(h); }
}
