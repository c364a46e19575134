//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
// array section through a pointer of the thread inside for simd with reduction of another
#include <stdlib.h>
int main(){ int s=0;
#pragma omp parallel num_threads(2)
 { int *h=malloc(4);
#pragma omp for simd reduction(+:s)
 for(int i=0;i<4;i++){ *h=i; s+=i; }
 free(h); }
}
