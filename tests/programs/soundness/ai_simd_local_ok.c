//@ verdict: race-free
//@ about: locals of an inlined function that lanes call are the lane's own
int a[8];
static inline __attribute__((always_inline)) void f(int i){ int t[2]; t[0]=i; t[1]=t[0]+1; a[i]=t[i&1]; }
int main(){
#pragma omp simd
 for(int i=0;i<8;i++) f(i);
}
