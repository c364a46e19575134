//@ verdict: race
//@ races: at-least
//@ undecided: not followed
//@ about: lanes of one thread in a loop that is handed out piece by piece
// ordered simd in a for simd in a team of one: what is outside of the block
int a[9],n;
int main(){
#pragma omp parallel for simd ordered num_threads(1)
 for(int i=0;i<4;i++){ a[i+1]=a[i];
#pragma omp ordered simd
 n++;
 }
}
