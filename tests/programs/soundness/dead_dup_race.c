//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: several directives of one line, of which one is inlined several times
#define TWO static inline __attribute__((always_inline)) void f(int*p){ _Pragma("omp for nowait") for(int i=0;i<4;i++) p[i]++; } static inline void g1(int*p){ _Pragma("omp for schedule(static) nowait") for(int i=0;i<4;i++) p[i]++; } static inline void g2(int*p){ _Pragma("omp for schedule(static) nowait") for(int i=0;i<4;i++) p[i]++; }
TWO
int a[4],b[4];
int main(){
#pragma omp parallel num_threads(2)
 { f(a); f(b); f(b); }
}
