//@ verdict: race-free
//@ undecided: not followed
//@ about: lanes have locals and copies of their own
#include <assert.h>
int a[4]={1,2,3,4},b[4];
int main(){ int s=0;
#pragma omp simd reduction(inscan,+:s)
 for(int i=0;i<4;i++){ s+=a[i];
#pragma omp scan inclusive(s)
 b[i]=s; }
 assert(b[3]==10);
}
