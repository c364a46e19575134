//@ verdict: race-free
//@ about: functions that lanes call have locals of their own
#include <stdlib.h>
int a[8]; int cmp(const void*x,const void*y){ return *(int*)x-*(int*)y; }
int main(){
#pragma omp simd
 for(int i=0;i<8;i++){ int t[3]={3,2,i}; qsort(t,3,4,cmp); a[i]=t[0]; }
}
