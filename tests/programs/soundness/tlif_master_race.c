//@ verdict: race
//@ undecided: how many iterations a task has is open, and tasks that are executed at once are ordered
//@ races: at-least
//@ about: lanes of a `taskloop simd` whose tasks are undeferred
int t; 
int main(){
#pragma omp parallel master taskloop simd if(taskloop:0) num_threads(2)
 for(int i=0;i<4;i++) t=i;
}
