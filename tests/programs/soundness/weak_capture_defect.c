//@ verdict: defect
//@ undecided: clang does not translate it
//@ about: clang makes no code of `atomic compare weak`
#include <assert.h>
int f=0;
int main(){ int v=0;
#pragma omp parallel num_threads(2)
#pragma omp single
 {
#pragma omp atomic compare capture weak
 { v=f; if(f==7){ f=2; } }
 }
 f=1;
#pragma omp parallel num_threads(2)
#pragma omp single
 {
#pragma omp atomic compare capture weak
 { v=f; if(f==7){ f=2; } }
 }
 assert(v==0);
}
