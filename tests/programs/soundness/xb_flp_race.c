//@ verdict: race
//@ races: at-least
//@ about: there is no barrier at the entry of a worksharing construct
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
// a loop has no barrier at its entry: iteration 1 is not ordered with the store of thread 0 before the loop
int g,h;
int main(){ int x=0;
#pragma omp parallel num_threads(2)
  {
    if(omp_get_thread_num()==0) g=1;
#pragma omp for firstprivate(x) lastprivate(x) schedule(dynamic)
    for(int i=0;i<2;i++){ if(i==1) h=g; x=i; }
  }
}
