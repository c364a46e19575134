//@ verdict: race-free
//@ about: lanes have locals and copies of their own
static inline __attribute__((always_inline)) int f(int x){ int t[2]={x,x}; return t[x&1]; }
int a[8];
int main(){
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
 {
#pragma omp simd
 for(int i=0;i<8;i++) a[i]=f(i);
 }
}
