//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: iterations of a thread share the copy that firstprivate makes
int a[8];
int main(){ int x=0;
#pragma omp parallel for order(concurrent) firstprivate(x) num_threads(1)
  for(int i=0;i<8;i++){ x=x+i; a[i]=x; }
}
