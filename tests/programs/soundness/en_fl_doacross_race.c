//@ verdict: race
//@ races: at-least
//@ about: without a schedule clause any thread executes any iteration of a doacross nest
int x=1,y; 
int main(){ 
#pragma omp parallel num_threads(2)
  {
#pragma omp masked
    y=5;
#pragma omp for firstprivate(x) lastprivate(x) ordered(1)
    for(int i=0;i<4;i++) {
#pragma omp ordered depend(sink:i-1)
      y+=i;
#pragma omp ordered depend(source)
     x+=i; }
  }
}
