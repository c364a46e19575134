//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: two lanes of one thread use its threadprivate variable
int t;
#pragma omp threadprivate(t)
int main(){
#pragma omp parallel num_threads(2)
  {
#pragma omp for simd
    for(int i=0;i<2;i++) t=i; }
}
