//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
int a[9];
__attribute__((noinline)) void body(int *w){
#pragma omp for simd
 for(int i=0;i<4;i++){ *w=i; a[i]=i; }
}
int main(){
#pragma omp parallel num_threads(2)
 { int w=0; body(&w); }
}
