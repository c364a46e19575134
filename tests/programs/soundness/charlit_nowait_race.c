//@ verdict: race
//@ races: at-least
//@ about: a character literal in a clause
int x,s;
int main(){
#pragma omp parallel num_threads(2)
 {
#pragma omp for schedule(dynamic,'('==40?1:2) lastprivate(x) nowait
 for(int i=0;i<4;i++) x=i;
#pragma omp critical
 s+=x;
 }
}
