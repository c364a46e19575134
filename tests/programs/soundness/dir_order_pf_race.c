//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: iterations of one thread run at the same time with order(concurrent)
// parallel for order(concurrent) schedule(dynamic) with num_threads(1)
int a[9];
int main(){
#pragma omp parallel for order(concurrent) schedule(dynamic) num_threads(1)
 for(int i=0;i<4;i++) a[i+1]=a[i];
}
