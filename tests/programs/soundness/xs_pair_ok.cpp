//@ verdict: race-free
//@ flags: -std=c++20
//@ about: functions that lanes call have locals of their own
#include <utility>
int a[8];
int main(){
#pragma omp simd
 for(int i=0;i<8;i++){ auto p=std::make_pair(i,i+1); a[i]=p.first+p.second; }
}
