//@ verdict: race-free
//@ about: the end barrier of a construct that is there twice
int a[8],b[8];
int z,w;
static inline __attribute__((always_inline)) void f(int *p,int *q){
#pragma omp for firstprivate(z) lastprivate(w)
  for(int i=0;i<8;i++){ w=i; p[i]=q[7-i]+z; }
}
int main(){
#pragma omp parallel num_threads(2)
  { f(a,b); f(b,a); }
}
