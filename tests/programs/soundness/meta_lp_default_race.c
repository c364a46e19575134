//@ verdict: race
//@ races: at-least
//@ about: a metadirective whose variant depends on a value
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(){ int x=0,y=0;
#pragma omp parallel num_threads(2)
  {
#pragma omp metadirective when(user={condition(0)}: nothing) default(for schedule(dynamic) lastprivate(x) nowait)
    for(int i=0;i<2;i++) x=i;
#pragma omp single
    y=x;
  }
}
