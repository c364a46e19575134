//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ undecided: not followed
//@ about: a directive by `[[using omp: ...]]` has its clauses
int a[9];
int main(){
#pragma omp parallel num_threads(1)
 {
 [[using omp: directive(for order(concurrent) schedule(dynamic))]]
 for(int i=0;i<4;i++) a[i+1]=a[i];
 }
}
