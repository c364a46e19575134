//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: a metadirective whose variant depends on a value
int x; volatile int n=3;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp metadirective when(user={condition(n>2)}: nothing) default(single)
 x=1;
 }
}
