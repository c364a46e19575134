//@ verdict: race-free
//@ about: lanes have locals and copies of their own
static inline __attribute__((always_inline)) int f(int x){ x+=1; int *p=&x; *p+=1; return x; }
int a[8];
int main(){
#pragma omp simd
 for(int i=0;i<8;i++) a[i]=f(i);
}
