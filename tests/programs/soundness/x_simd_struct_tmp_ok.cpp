//@ verdict: race-free
//@ flags: -std=c++20
//@ about: lanes have locals and copies of their own
struct P{ int x,y; P(int a,int b):x(a),y(b){} P operator+(const P&o) const { return P(x+o.x,y+o.y); } };
int a[8];
int main(){
#pragma omp simd
 for(int i=0;i<8;i++){ P p=P(i,1)+P(2,i); a[i]=p.x+p.y; }
}
