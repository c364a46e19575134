//@ verdict: race
//@ races: at-least
//@ about: locals of an inlined function that lanes call are the lane's own
// taskloop, always_inline functions and lambdas) that block is merged into `omp.inner.for.body.i`, so the loop is not seen and has no lanes. Look for the
// branch with `llvm.loop.vectorize.enable` (or the directive) instead, and answer unknown where a directive with lanes finds no loop.
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int a[16];
static inline __attribute__((always_inline)) void f(void){
#pragma omp simd
  for(int i=1;i<16;i++) a[i]=a[i-1]+1;
}
int main(){ f(); }
