//@ verdict: race
//@ races: at-least
//@ about: a file name with letters that are not ASCII
#line 7 "ä;b.c"
int x,s;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp for lastprivate(x) nowait schedule(dynamic)
 for(int i=0;i<4;i++) x=i;
#pragma omp critical
 s+=x;
 }
}
