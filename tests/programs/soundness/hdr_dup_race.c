//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: several directives of one line, of which one is inlined several times
#line 100 "x.c"
static inline __attribute__((always_inline)) void f(int*p){
#pragma omp for nowait
 for(int i=0;i<4;i++) p[i]++; }
#line 100 "x.c"
static inline void g1(int*p){
#pragma omp for schedule(static) nowait
 for(int i=0;i<4;i++) p[i]++; }
#line 100 "x.c"
static inline void g2(int*p){
#pragma omp for schedule(static) nowait
 for(int i=0;i<4;i++) p[i]++; }
#line 1 "y.c"
int a[4],b[4];
int main(){
#pragma omp parallel num_threads(2)
 { f(a); f(b); f(b); }
}
