//@ verdict: race
//@ undecided: how many iterations a task has is open, and tasks that are executed at once are ordered
//@ races: at-least
//@ about: lanes of a `taskloop simd` whose tasks are undeferred
int t;
int main(){
#pragma omp taskloop simd if(taskloop:0)
 for(int i=0;i<4;i++) t=i;
}
