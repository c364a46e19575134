//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: a metadirective whose variant the compiler does not know
int x; volatile int n=1;
int main(){
#pragma omp metadirective when(user={condition(n)}: parallel num_threads(2)) default(nothing)
 x=x+1;
#pragma omp parallel num_threads(2)
 {}
}
