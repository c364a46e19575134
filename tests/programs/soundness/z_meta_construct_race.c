//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: a metadirective whose variant the compiler does not know
int x;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp metadirective when(construct={parallel}: nothing) default(single)
 x=1;
 }
}
