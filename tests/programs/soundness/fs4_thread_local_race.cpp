//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ undecided: not followed
//@ about: lanes of one thread meet on memory that belongs to the thread
thread_local int tl;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp for simd
 for(int i=0;i<4;i++) tl=i;
 }
}
