//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
#include <omp.h>
int slot[2];
int main(){
#pragma omp parallel num_threads(2)
 { int me=omp_get_thread_num();
#pragma omp for simd
 for(int i=0;i<4;i++){ slot[me]+=i; }
 }
}
