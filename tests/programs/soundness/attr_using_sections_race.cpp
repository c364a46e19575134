//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ about: a directive by `[[using omp: ...]]` has its clauses
int x,s;
int main(){
#pragma omp parallel num_threads(2)
 {
 [[using omp: directive(sections lastprivate(x) nowait)]]
 {
 [[using omp: directive(section)]]
 x=1;
 [[using omp: directive(section)]]
 x=2;
 }
#pragma omp critical
 s+=x;
 }
}
