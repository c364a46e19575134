//@ verdict: race
//@ races: at-least
//@ about: which team executes a chunk of `distribute parallel for` is open
int a[4];
int main(){
#pragma omp teams num_teams(2) thread_limit(2)
 {
#pragma omp distribute parallel for
 for(int i=0;i<4;i++) a[i]=i;
#pragma omp distribute dist_schedule(static)
 for(int i=0;i<4;i++) a[i]++;
 }
}
