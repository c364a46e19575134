//@ verdict: race
//@ undecided: how many iterations a task has is open, and tasks that are executed at once are ordered
//@ races: at-least
//@ about: lanes of a `taskloop simd` whose tasks are undeferred
int t; volatile int c=0;
int main(){
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd if(taskloop:c)
 for(int i=0;i<4;i++) t=i;
}
