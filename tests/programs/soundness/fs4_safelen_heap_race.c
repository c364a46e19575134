//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
#include <stdlib.h>
int main(){
#pragma omp parallel num_threads(2)
 { int *h=calloc(16,4);
#pragma omp for simd safelen(4)
 for(int i=2;i<10;i++) h[i]=h[i-2];
 free(h); }
}
