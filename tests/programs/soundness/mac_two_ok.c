//@ verdict: race-free
//@ about: the end barrier of a construct that is there twice
int a[8],b[8];
int z,w;
#define F(p,q) _Pragma("omp for firstprivate(z) lastprivate(w)") for(int i=0;i<8;i++){ w=i; p[i]=q[7-i]+z; }
#define G F(a,b) F(b,a)
int main(){
#pragma omp parallel num_threads(2)
  { G }
}
