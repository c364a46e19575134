//@ verdict: race-free
//@ about: functions that lanes call have locals of their own
int a[8];
int f(int n,int*p){ int t=n; if(n==0) return *p; return f(n-1,&t); }
int main(){
#pragma omp simd
 for(int i=0;i<8;i++){ int z=i; a[i]=f(2,&z); }
}
