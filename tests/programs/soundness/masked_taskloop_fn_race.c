//@ verdict: race
//@ races: at-least
//@ undecided: clang does not translate it
//@ about: clang makes no code of `masked taskloop`
int x;
void f(void){
#pragma omp masked taskloop
 for(int i=0;i<4;i++) x=i;
}
int main(){
#pragma omp parallel num_threads(2)
 f();
}
