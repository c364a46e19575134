//@ verdict: race-free
//@ flags: -std=c++20
//@ about: functions that lanes call have locals of their own
struct P{ int x,y; P(int a,int b):x(a),y(b){} };
P mk(int i){ return P(i,i); }
int a[8];
int main(){
#pragma omp parallel num_threads(2)
#pragma omp single
 {
#pragma omp simd
 for(int i=0;i<8;i++){ P p=mk(i); a[i]=p.x; }
 }
}
