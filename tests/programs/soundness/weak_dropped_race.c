//@ verdict: race
//@ races: at-least
//@ undecided: clang does not translate it
//@ about: clang makes no code of `atomic compare weak`
int f,s;
int main(){
#pragma omp parallel sections num_threads(2)
 {
#pragma omp section
 {
#pragma omp atomic compare weak
 if(f==0){ f=2; } }
#pragma omp section
 f=5;
 }
}
