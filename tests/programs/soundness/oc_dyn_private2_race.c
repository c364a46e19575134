//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: iterations of one thread run at the same time with order(concurrent)
int a[4];
int main(){
#pragma omp parallel num_threads(2)
 { int t[2];
#pragma omp for order(concurrent) schedule(dynamic)
 for(int i=0;i<4;i++){ t[0]=i; a[i]=t[0]; }
 }
}
