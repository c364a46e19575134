//@ verdict: race
//@ races: at-least
//@ about: lanes of a `taskloop simd` whose tasks are undeferred
int t;
int main(){
#pragma omp taskloop simd if(taskloop:0)
 for(int i=0;i<4;i++) t=i;
}
