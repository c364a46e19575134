//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
int a[9],tp;
#pragma omp threadprivate(tp)
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp for simd
 for(int i=0;i<4;i++){ tp=i; a[i]=i; }
 }
}
