//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
// member data of an object of the thread, loop construct
struct W{ int v=0; void go(){
#pragma omp for order(concurrent)
 for(int i=0;i<4;i++) v=i;
 } };
int main(){
#pragma omp parallel num_threads(2)
 { W w; w.go(); }
}
