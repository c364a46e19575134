//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: iterations of one thread run at the same time with order(concurrent)
int a[9];
int main(){
#pragma omp parallel num_threads(1)
 {
#pragma omp for order(concurrent) schedule(dynamic)
 for(int i=0;i<4;i++) a[i+1]=a[i];
 }
}
