//@ verdict: race-free
//@ about: safelen in octal
int a[32];
int main(){
#pragma omp simd safelen(010)
  for(int i=0;i<16;i++) a[i+8]=a[i];
}
