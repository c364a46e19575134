//@ verdict: race
//@ races: at-least
//@ about: there is no barrier at the entry of a worksharing construct
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int g,h;
int main(){ int x=0;
#pragma omp parallel num_threads(2)
  {
    if(omp_get_thread_num()==0) g=1;
#pragma omp sections firstprivate(x) lastprivate(x)
    {
#pragma omp section
      { h=g; x=1; }
#pragma omp section
      x=2;
    }
  }
}
