//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
#include <stdlib.h>
int a[9];
int main(){
#pragma omp parallel num_threads(2)
 { int *h=malloc(4);
#pragma omp for simd
 for(int i=0;i<4;i++){ *h=i; a[i]=i; }
 free(h);
 }
}
