//@ verdict: race
//@ undecided: the answer is right or unknown
//@ races: at-least
//@ about: lanes write a struct that was passed by value
struct B{int x[20];};
void f(struct B b){
#pragma omp for simd
    for(int i=0;i<6;i++) b.x[0]=i; }
int main(){
#pragma omp parallel num_threads(2)
  { struct B b={{0}}; f(b); }
}
