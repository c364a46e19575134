//@ verdict: race
//@ races: at-least
//@ undecided: clang does not translate it
//@ about: clang makes no code of `masked taskloop`
int x;
#define MT _Pragma("omp masked taskloop")
int main(){
#pragma omp parallel num_threads(2)
 {
 MT
 for(int i=0;i<4;i++) x=i;
 }
}
