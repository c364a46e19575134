//@ verdict: race
//@ races: at-least
//@ undecided: not followed
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
#pragma omp metadirective when(user={condition(1)}: sections lastprivate(x) nowait) default(sections)
    {
#pragma omp section
      x=1;
#pragma omp section
      x=2;
    }
#pragma omp single
    y=x;
  }
}
