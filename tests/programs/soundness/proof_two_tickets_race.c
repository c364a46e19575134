//@ verdict: race
//@ races: at-least
//@ about: only the threads that draw a late ticket meet
int n,x; int main(void){
#pragma omp parallel num_threads(4)
 { int k;
#pragma omp atomic capture
  k=n++;
  if(k>=2) x=k; } }
