//@ verdict: defect
//@ defect: assertion 23
//@ about: there is no barrier at the entry of a worksharing construct
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int g;
int main(){ int x=0,seen=-1;
#pragma omp parallel num_threads(2)
  {
    if(omp_get_thread_num()==0) {
#pragma omp atomic write
      g=1; }
#pragma omp for firstprivate(x) lastprivate(x) schedule(dynamic)
    for(int i=0;i<2;i++){ int v;
#pragma omp atomic read
      v=g;
      if(i==1) seen=v; x=i; }
  }
  assert(seen==1);
}
