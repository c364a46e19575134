//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread in a loop that is handed out piece by piece
int a[9];
int main(){
#pragma omp parallel for simd schedule(guided) num_threads(1)
 for(int i=0;i<4;i++) a[i+1]=a[i];
}
