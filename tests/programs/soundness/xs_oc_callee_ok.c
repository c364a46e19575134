//@ verdict: race-free
//@ about: functions that lanes call have locals of their own
void g(int*t,int i){ t[0]=i; t[1]=i+1; }
int f(int i){ int t[2]; g(t,i); return t[i&1]; }
int a[8];
int main(){
#pragma omp parallel for order(concurrent) num_threads(1)
 for(int i=0;i<8;i++) a[i]=f(i);
}
