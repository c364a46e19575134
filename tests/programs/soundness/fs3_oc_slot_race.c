//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
#include <omp.h>
int a[9],slot[2];
int main(){
#pragma omp parallel num_threads(2)
 { int *me=&slot[omp_get_thread_num()];
#pragma omp for order(concurrent)
 for(int i=0;i<4;i++){ *me=i; a[i]=i; }
 }
}
