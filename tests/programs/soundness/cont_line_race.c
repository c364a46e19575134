//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: a directive whose line is continued behind `omp`
int x,s;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma \
  omp \
  for lastprivate(x) \
  nowait \
  schedule(dynamic)
 for(int i=0;i<4;i++) x=i;
#pragma omp critical
 s+=x;
 }
}
