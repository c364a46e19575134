//@ verdict: race
//@ races: at-least
//@ about: there is no barrier at the entry of a worksharing construct
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int g,h,a[8];
int main(){ int x=0;
#pragma omp parallel num_threads(2)
  {
    if(omp_get_thread_num()==0) g=1;
#pragma omp for linear(x:1) schedule(dynamic)
    for(int i=0;i<2;i++){ if(i==1) h=g; a[x]=i; x++; }
  }
}
