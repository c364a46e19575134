//@ verdict: race
//@ races: at-least
//@ about: without a schedule clause any thread executes any iteration of a doacross nest
int a[4];
int main(){
#pragma omp parallel num_threads(2)
  {
#pragma omp for ordered(2)
  for(int i=0;i<4;i++) for(int j=0;j<2;j++){
#pragma omp ordered depend(sink:i,j-1)
    a[i%2]+=j;
#pragma omp ordered depend(source)
  } }
}
