//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: two lanes of one thread use its memory, whichever they are
#include <omp.h>
int s[4][4];
int main(){
#pragma omp parallel num_threads(2)
  { int me=omp_get_thread_num();
#pragma omp for simd
    for(int i=0;i<4;i++) s[me][i/2]=i; }
}
