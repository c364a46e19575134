//@ verdict: race
//@ races: at-least
//@ about: threads that got a section use one variable, the others their own
#include <stdlib.h>
int *slot[4],n,g; int main(void){
#pragma omp parallel num_threads(4)
 { int *own=malloc(4); int *use=own;
#pragma omp sections nowait
  {
#pragma omp section
  use=&g;
#pragma omp section
  use=&g;
#pragma omp section
  use=&g;
  }
  *use=1; } }
