//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
int a[9]; struct W{int v;};
void body(struct W *w){
#pragma omp for simd
 for(int i=0;i<4;i++){ w->v=i; a[i]=w->v; }
}
int main(){
#pragma omp parallel num_threads(2)
 { struct W w; body(&w); }
}
