//@ verdict: race
//@ races: at-least
//@ about: there is no barrier at the entry of a worksharing construct
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int a[4];
int main(){ int x=0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) nowait
    for(int i=0;i<4;i++) a[i]=i;
#pragma omp for firstprivate(x) lastprivate(x) schedule(dynamic)
    for(int i=0;i<4;i++){ x=a[3-i]; }
  }
}
