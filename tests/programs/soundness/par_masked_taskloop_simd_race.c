//@ verdict: race
//@ races: at-least
//@ undecided: clang does not translate it
//@ about: clang makes no code of `masked taskloop`
int x,y;
int main(){
#pragma omp parallel num_threads(2)
#pragma omp atomic
  y++;
#pragma omp parallel masked taskloop simd num_threads(2)
 for(int i=0;i<4;i++) x=i;
}
