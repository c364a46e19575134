//@ verdict: race
//@ races: at-least
//@ flags: -std=c++20
//@ about: a directive by an attribute over several lines
int x,s;
int main(){
#pragma omp parallel num_threads(2)
 {
 [[ omp :: 
 directive 
 ( for lastprivate(x), nowait, schedule(dynamic))]]
 for(int i=0;i<4;i++) x=i;
#pragma omp critical
 s+=x;
 }
}
