//@ verdict: race
//@ races: at-least
//@ undecided: clang does not translate it
//@ about: clang makes no code of `masked taskloop`
int x;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp masked taskloop
 for(int i=0;i<4;i++) x=i;
 }
}
