//@ verdict: race-free
//@ flags: -std=c++20
//@ about: locals of an inlined function that lanes call are the lane's own
int a[8];
int main(){
 auto f=[&](int i) __attribute__((always_inline)) { int t[2]={i,i+1}; a[i]=t[i&1]; };
#pragma omp simd
 for(int i=0;i<8;i++) f(i);
}
