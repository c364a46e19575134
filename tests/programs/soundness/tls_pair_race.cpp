//@ verdict: race
//@ flags: -std=c++20 -fopenmp
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: two lanes of one thread use its thread-local variable
thread_local int t[4];
int main(){
#pragma omp parallel num_threads(2)
  {
#pragma omp for simd
    for(int i=0;i<4;i++) t[i/2]=i; }
}
