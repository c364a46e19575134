//@ verdict: race-free
//@ flags: -std=c++20
//@ about: functions that lanes call have locals of their own
#include <string>
int a[8];
int main(){
#pragma omp simd
 for(int i=0;i<8;i++){ std::string s(30,'a'+i); a[i]=s.size(); }
}
