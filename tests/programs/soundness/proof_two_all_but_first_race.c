//@ verdict: race
//@ races: at-least
//@ about: all threads but the first meet
int x; int main(void){
#pragma omp parallel num_threads(4)
 { int first=1;
#pragma omp masked
  first=0;
  if(first) x=1; } }
