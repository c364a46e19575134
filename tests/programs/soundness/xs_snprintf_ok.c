//@ verdict: race-free
//@ about: functions that lanes call have locals of their own
#include <stdio.h>
char a[8][8];
int main(){
#pragma omp simd
 for(int i=0;i<8;i++) snprintf(a[i],8,"%d",i);
}
