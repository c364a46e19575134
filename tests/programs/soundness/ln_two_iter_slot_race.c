//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: two lanes of one thread use its memory, whichever they are
#include <omp.h>
int s[8];
int main(){
#pragma omp parallel
  { int me=omp_get_thread_num();
#pragma omp for simd
    for(int i=0;i<2;i++) s[me]+=i; }
}
